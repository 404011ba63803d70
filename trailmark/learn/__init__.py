"""Learn: trails and the pages they lead over -> a navigator that says where on the way a page or a link is.

The order in which a trail goes through this room:

1. `bag`: a page and a link as words in groups.   2. `example`: a trail as bags.
3. `label_space`: the teacher's labels as states.   4. `vocabulary`, `encoding`: bags and labels as matrices.
5. `recipe`, `learner`: how to learn, and learning.   6. `choice`: which recipe, by cross-validation over sites.
7. `navigator`, `navigator_file`: what was learnt, walking and on disk.   8. `scores`, `report`, `report_file`: how good it is.
9. `explanation`, `phrase`, `why`: why a page or link is taken for what it is.   10. `picture`, `picture_layout`: the way as a drawing.
11. `questions`: which pages are worth a question to the teacher.
12. Strategies to walk by: `path` (with `clicks` and `nesting`), `focused`, `future`, `context` (with `taught_graph` and `text_worth`).
"""
