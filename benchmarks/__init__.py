"""Measurements beside the product: ratios taken side by side in one run, the demo, and the score on labelled questions."""
