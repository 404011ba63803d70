"""Page -> Course: the items of a course page in page order, each with its type (Intinno, sections 3.1.2 and 5.3.2). Pure."""
