"""The command line: one file per verb. `main` gathers them; `printing` is how they talk to people and to machines, `log_file` where it is written down what happened."""
