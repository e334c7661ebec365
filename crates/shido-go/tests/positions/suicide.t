# Moves without liberties.

== one stone may never kill itself
| . X . |
| X a X |
| . X . |
rules tromp-taylor
illegal W a: suicide
rules chinese
illegal W a: suicide

== several stones may where the rules allow it
| O a X |
| X X . |
| . . . |
rules chinese
illegal W a: suicide
rules new-zealand
play W a
play B A3

== a capture is no suicide
| O a X O |
| X X O O |
| . . . . |
| . . . . |
rules chinese
play W a

== occupied points and the edge
| O . |
| . . |
illegal B A2: occupied
