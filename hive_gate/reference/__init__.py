"""A small app-server of our own, over a real thread store: needs no download, can be broken on purpose.

It imports nothing of the gate that judges it: if both read a rule from one place, both could be wrong alike.
"""
