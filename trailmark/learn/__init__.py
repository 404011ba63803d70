"""Trails and the pages they lead over -> a navigator that says where on the way a page or a link is.

A trail becomes bags of words, its labels states; a chain model is trained on both, by the recipe that does best on sites left out.
"""
