"""Questions whose right answer is known by construction, asked of the user's own projects: to fit the gate, and to tell.

Entry: `measuring.Measuring`. What is fitted and what is reported are asked disjoint halves. Must never import rpc or doctor.
"""
