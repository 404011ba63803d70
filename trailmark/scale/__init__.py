"""Places the work of verbs on a Ray cluster: the same rooms do it, here is only decided where. The one room that knows Ray."""
