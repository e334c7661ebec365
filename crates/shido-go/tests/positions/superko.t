# Repetition over more than one ko.

== a ko recapture repeats the position
| . X O . |
| X O a O |
| . X O . |
| . . . . |
rules tromp-taylor
play B a
illegal W B3: superko
play W A1
play B D1
play W B3
illegal B a: superko

== passes do not make a repetition legal under positional superko
| . X O . |
| X O a O |
| . X O . |
| . . . . |
rules tromp-taylor
play B a
play W pass
play B pass
illegal W B3: superko

== situational superko looks at who is to move
| . X O . |
| X O a O |
| . X O . |
| . . . . |
rules aga
play B a
illegal W B3: superko
play W pass
play B pass
illegal W B3: superko

== simple ko lets a long cycle through
| . X O . |
| X O a O |
| . X O . |
| . . . . |
rules japanese
play B a
play W pass
play B pass
play W B3
play B pass
play W pass
play B a
