"""What rests on disk: the database, the web archives and replay from them. The only room that touches either."""
