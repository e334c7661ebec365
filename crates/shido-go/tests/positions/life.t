# Unconditional life.

== two eyes live, one does not
| . X . X . . . . |
| X X X X . . . . |
| . . . . . . . . |
| . . . . . . . . |
| O O O . . . . . |
| . . O . . . . . |
| . . O . . . . . |
| . . O . . . . . |
life
| X X X X . . . . |
| X X X X . . . . |
| . . . . . . . . |
| . . . . . . . . |
| . . . . . . . . |
| . . . . . . . . |
| . . . . . . . . |
| . . . . . . . . |

== two small eyes in the corner are territory with what is dead in them
| . X . X . . |
| X X X X . . |
| X O . X . . |
| X X X X . . |
| . . . . . . |
| . . . . . . |
life
| X X X X . . |
| X X X X . . |
| X X X X . . |
| X X X X . . |
| . . . . . . |
| . . . . . . |

== chains live together through shared eyes
| . O . O . O . |
| O O O . O O O |
| . O O O O O . |
| . . . . . . . |
life
| O O O O O O O |
| O O O O O O O |
| . O O O O O . |
| . . . . . . . |

== where suicide is allowed, stones away from the chain make its eye uncertain
| O . X . X . |
| . X X X X . |
| X X . . . . |
| . . . . . . |
rules chinese
life
| X X X X X . |
| X X X X X . |
| X X . . . . |
| . . . . . . |
rules tromp-taylor
life
| . . . . . . |
| . . . . . . |
| . . . . . . |
| . . . . . . |

== the empty board has no life
| . . |
| . . |
life
| . . |
| . . |
