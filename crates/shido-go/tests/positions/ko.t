# Simple ko.

== a ko may not be retaken at once
| . X O . |
| X O a O |
| . X O . |
| . . . . |
play B a
illegal W B3: the ko may not be retaken
play W A1
play B D1
play W B3
illegal B a: the ko may not be retaken

== a pass lifts the ban
| . X O . |
| X O a O |
| . X O . |
| . . . . |
play B a
play W pass
play B pass
play W B3

== the side that took the ko may connect it at once
| . X O . |
| X O a O |
| . X O . |
| . . . . |
play B a
play B B3

== a snapback is not a ko
| . . . . . |
| O O O O . |
| O X X X O |
| O X a b O |
play W a
play B b
play W a

== taking two stones starts no ko
| . X X O . |
| X O O a O |
| . X X O . |
| . . . . . |
play B a
play W C3
