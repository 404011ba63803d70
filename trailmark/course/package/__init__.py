"""A course and archived copies of its items -> a package that a learning system loads: SCORM 1.2, SCORM 2004, IMS Common Cartridge."""
