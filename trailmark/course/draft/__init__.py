"""A title and a syllabus -> a draft of a course: for each week what other courses have that fits, to be edited and packed."""
