# Ladders: which chains are caught (1), whoever must move.

== a ladder runs into the edge
| . . . . . . . |
| . X X . . . . |
| X O O X . . . |
| . X a . . . . |
| . . . . . . . |
| . . . . . . . |
| . . . . . . . |
ladders
| . . . . . . . |
| . 0 0 . . . . |
| 0 1 1 0 . . . |
| . 0 . . . . . |
| . . . . . . . |
| . . . . . . . |
| . . . . . . . |

== a breaker on the way frees the stone
| . . . . . . . |
| . X X . . . . |
| X O O X . . . |
| . X a . . . . |
| . . . . . . . |
| . . . . O . . |
| . . . . . . . |
ladders
| . . . . . . . |
| . 0 0 . . . . |
| 0 0 0 0 . . . |
| . 0 . . . . . |
| . . . . . . . |
| . . . . 0 . . |
| . . . . . . . |

== the atari must be from the right side
| . . . . . . . . . |
| . . . . . . . . . |
| . . . X . . . . . |
| . . X O a . . . . |
| . . . b X . . . . |
| . . . . . . . . . |
| . . . . . . . . . |
| . . . . . . . . . |
| . . . . . . . . . |
working D6 = a b

== capturing a chain in atari gets out
| . . . . . |
| . X X O . |
| X O O X O |
| . X . . . |
| . . . . . |
ladders
| . . . . . |
| . 0 0 0 . |
| 0 0 0 0 0 |
| . 0 . . . |
| . . . . . |

== a stone on the first line is caught along the edge
| . X O a . . . |
| . X X . . . . |
| . . . . . . . |
| . . . . . . . |
| . . . . . . . |
ladders
| . 0 1 . . . . |
| . 0 0 . . . . |
| . . . . . . . |
| . . . . . . . |
| . . . . . . . |

== connecting to friends gets out
| . O X . . |
| O . O X . |
| . O X . . |
| . . . . . |
| . . . . . |
ladders
| . 0 0 . . |
| 0 . 0 0 . |
| . 0 0 . . |
| . . . . . |
| . . . . . |
