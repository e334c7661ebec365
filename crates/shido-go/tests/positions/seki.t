# Seki: whose eyes count.

== one eye each and one neutral point that nobody may fill
| . O a X . X O . . |
| O O O X X X O O O |
| X X X O O O O . . |
| . . X O . . . . . |
| X X X O . . . . . |
| . . X O . . . . . |
| . . X O . . . . . |
rules chinese
score = W+20
territory 7 25
rules japanese
score = W+18
territory 6 24
rules koSIMPLEscoreAREAtaxSEKIsui0
score = W+20
territory 6 24

== without the tax the eyes count
| . O a X . X O . . |
| O O O X X X O O O |
| X X X O O O O . . |
| . . X O . . . . . |
| X X X O . . . . . |
| . . X O . . . . . |
| . . X O . . . . . |
rules koSIMPLEscoreTERRITORYtaxNONEsui0
territory 7 25
score = W+18
# Had Black died after all, White would have all of it.
score D7 = W+31
territory 7 25

== a group with two eyes is alive beside open neutral points
| . X . O . . |
| . X . O . . |
| X X . O . O |
| . X . O O . |
rules japanese
territory 3 6
score = W+3

== so is one with room for two
| . X . O . . |
| . X . O . . |
| . X . O . . |
| . X . O . . |
rules japanese
territory 4 8

== one small eye beside a neutral point is not enough
| . X . O . . |
| X X . O O O |
rules japanese
territory 0 0
score = 0
rules chinese
territory 1 2
score = W+2
