# Counting under every rule set.
#
# Black has 8 stones and 4 points of territory, White 8 and 5; the stone at D4 is dead.

== a finished game
| . X O . . |
| X X O X . |
| . X O O O |
| X X X O . |
| . . X O O |
komi 0.5
handicap 2
rules tromp-taylor
score D4 = W+1.5
rules chinese
score D4 = W+3.5
rules chinese-ogs
score D4 = W+3.5
rules chinese-kgs
score D4 = W+3.5
rules japanese
score D4 = W+2.5
rules korean
score D4 = W+2.5
rules aga
score D4 = W+2.5
rules bga
score D4 = W+2.5
rules new-zealand
score D4 = W+1.5
rules stone-scoring
score D4 = W+1.5
rules ancient-territory
score D4 = W+2.5
rules ing
score D4 = W+1.5
rules aga-button
score D4 = W+2.5

== the stone left on the board lives and spoils White's corner
| . X O . . |
| X X O X . |
| . X O O O |
| X X X O . |
| . . X O O |
komi 0.5
rules tromp-taylor
score = B+3.5

== the button is for the first to pass
| . X O . . |
| X X O X . |
| . X O O O |
| X X X O . |
| . . X O O |
rules aga-button
play B pass
play W pass
score D4 = W+0.5

== the button can be White's
| . X O . . |
| X X O X . |
| . X O O O |
| X X X O . |
| . . X O O |
rules aga-button
turn W
play W pass
play B pass
score D4 = W+1.5

== prisoners count with territory only
| X X O . |
| X O a O |
| . X O . |
| . X O . |
play B a
rules chinese
score = B+2
rules japanese
score = B+1

== every group pays for two eyes where groups are taxed
| . X O O O X . |
| X X O . O X X |
| . X O O O X . |
| X X O . O X X |
| . X O O O X . |
rules koSIMPLEscoreAREAtaxNONEsui0
score = B+5
rules stone-scoring
score = B+3
rules japanese
score = B+4
rules ancient-territory
score = B+2

# C1 and C5 touch both colors. Under strict rules C1 makes all of Black's side nobody's.
== open neutral points end the territories beside them where players agree on the end
| . X . O . |
| . X O O . |
| . X X O . |
| . . X O . |
| . . . O . |
komi 0.5
rules tromp-taylor
score = W+6.5
rules chinese
score = B+0.5
rules aga
score = B+0.5
rules japanese
score = B+1.5
rules ancient-territory
score = B+1.5

# Nobody closed the border at C1 and D1: each side has the points that are nearer to it.
== a narrow gap is shared out
| . . X O . |
| . . X O . |
| . . X O . |
| . . . . . |
komi 0.5
rules tromp-taylor
score = W+0.5
rules chinese
score = B+3.5
rules japanese
score = B+3.5

# E1 is as near to one as to the other.
== a point between is nobody's
| . X . . O . |
| . X X O O . |
| . X X O O . |
| . . . . . . |
rules japanese
score = 0
rules chinese
score = 0

== a gap three lines wide is shared out
| . . X O . |
| . . . . . |
| . . . . . |
| . . . . . |
| . . X O . |
rules japanese
score = B+5

# Four lines: the game was not over, and all of it is nobody's.
== a wide gap is an open border
| . . X O . |
| . . . . . |
| . . . . . |
| . . . . . |
| . . . . . |
| . . X O . |
rules japanese
score = 0

# Two steps lie between the colors: whose the points are is not settled, so they are nobody's.
== a border that is open is no neutral point
| . X . . O . |
| . X . . . O |
| . X . . O . |
| . X . . O . |
rules japanese
score = B+1
