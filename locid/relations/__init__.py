"""What uses what, over all projects: who uses a thing, what a project depends on, what projects use of one another.

Entry: `projects.Projects`. Must never import the router, episodes, or anything above them.
"""
