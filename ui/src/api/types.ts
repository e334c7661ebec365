// What the server takes and sends. Made from its OpenAPI file by `npm run api-types`;
// not edited by hand.

/** What the program is and what it offers. */
export type About = {
  /** What analyzes positions; the first is the default. */
  engines: EngineOffer[];
  /** The largest game record that is taken, in bytes. */
  max_record_bytes: number;
  /** `shido`. */
  name: string;
  /** Who plays; the first is the default. */
  partners: PartnerOffer[];
  /** The rules to play by; the first are the default. */
  rules: RulesOffer[];
  /** The boards to play on. */
  sizes: BoardSize[];
  /** The program's version. */
  version: string;
};

/** An engine's analysis of a position, so far. */
export type AnalysisView = {
  /** The best moves first. */
  candidates: CandidateView[];
  /** Whether this is the last of it. */
  done: boolean;
  /** Points Black is ahead by, komi included. */
  lead_black: number;
  /** Row by row: 1 surely Black's, −1 surely White's. */
  ownership: number[];
  /** Whose turn it is. */
  to_move: Color;
  /** Visits so far. */
  visits: number;
  /** Black's chance to win. */
  win_rate_black: number;
};

/** The automatic level and the games it comes from. */
export type AutoLevelView = {
  /** The games it follows, the latest first. */
  games: LevelStep[];
  /** The level of the next game that is begun with `auto`. */
  level: string;
};

/** A line or arrow from point to point. */
export type BoardLine = {
  /** Where it starts. */
  from: string;
  /** What kind. */
  kind: LineKind;
  /** Where it ends. */
  to: string;
};

/** A board to play on. */
export type BoardSize = {
  /** The most handicap stones. */
  max_handicap: number;
  /** Lines on each side. */
  size: number;
};

/** One move an engine looked at. */
export type CandidateView = {
  /** Points the mover is ahead by after it. */
  lead: number;
  /** The expected continuation, this move first. */
  line: string[];
  /** A vertex or `pass`. */
  move: string;
  /** How likely the move model found it beforehand. */
  prior: number;
  /** How often the search went there. */
  visits: number;
  /** The mover's chance to win after it. */
  win_rate: number;
};

/** Stones taken during the game. */
export type Captures = {
  /** By Black. */
  black: number;
  /** By White. */
  white: number;
};

/** How a teaching partner chose its move. */
export type ChoiceView = {
  /** The moves considered, the one it chose first. */
  candidates: ConsideredView[];
  /** Points it believed to be ahead by with its best candidate. */
  lead: number | null;
  /** What else had a part, by ids, e.g. `ladder-answered`. */
  notes: string[];
  /** The partner by name. */
  partner: string;
  /** The rule that decided, by its id, e.g. `natural-score`. */
  rule: string;
  /** Simulations that the candidates had in all. */
  simulations: number;
  /** The points it wanted to give away, if it controls that. */
  target_loss: number | null;
};

/** A clock's settings. */
export type ClockSettings =
  | {
      kind: 'absolute';
      /** Seconds. */
      main_s: number;
    }
  | {
      kind: 'byo_yomi';
      /** Seconds before overtime. */
      main_s: number;
      /** Seconds of a period. */
      period_s: number;
      /** The periods. */
      periods: number;
    }
  | {
      kind: 'canadian';
      /** Seconds before overtime. */
      main_s: number;
      /** Seconds of a period. */
      period_s: number;
      /** The stones to be played in a period. */
      stones: number;
    };

/** The clocks. */
export type ClockView = {
  /** Black's. */
  black: SideClock;
  running: null | Color;
  /** White's. */
  white: SideClock;
};

/** The color of stones. */
export type Color = 'black' | 'white';

/** One move a teaching partner considered. */
export type ConsideredView = {
  /** Points the partner is ahead by after it; none without a search of it. */
  lead: number | null;
  /** Points it gives away compared with the best candidate. */
  loss: number | null;
  /** A vertex or `pass`. */
  move: string;
  /** How likely a person of the partner's level plays it, 0 to 1. */
  naturalness: number;
  /** What the partner made of it; none if it was set aside. */
  score: number | null;
  /** Why it was set aside, by its id, e.g. `own-eye`. */
  set_aside: string | null;
  /** Simulations it had. */
  visits: number;
  /** The partner's chance to win after it. */
  win_rate: number | null;
};

/** A chain to take as dead or as alive. */
export type DeadStones = {
  /** The number of moves the page had seen; another number is refused as stale. */
  after: number;
  /** A stone of it. */
  point: string;
};

/** An engine that analyzes positions. */
export type EngineOffer = {
  /** Its name in the API. */
  id: string;
  /** What it is, in a few English words. */
  name: string;
};

/** A refusal as the page gets it. */
export type ErrorView = {
  /** A word for programs, e.g. `illegal_move`. */
  code: string;
  /** A sentence for people, in English. */
  message: string;
};

/** How the game stands, by a short search. */
export type Estimate = {
  /** Points Black is ahead by, komi included. */
  lead_black: number;
  /** Row by row: 1 surely Black's, −1 surely White's. */
  ownership: number[];
  /** Black's chance to win. */
  win_rate_black: number;
};

/** Games kept, the latest first. */
export type GameList = {
  /** The games. */
  games: GameSummary[];
};

/** What a game is played by, everything filled in. */
export type GameSettings = {
  /** Whether the rank was taken from the student's results. */
  auto: boolean;
  clock: null | ClockSettings;
  /** Black's handicap stones. */
  handicap: number;
  /** White's compensation. */
  komi: number;
  /** The rank the partner plays at, if it has levels. */
  level: string | null;
  /** Whether the partner takes its time. */
  pace: Pace;
  /** The partner. */
  partner: string;
  /** The rules by name. */
  rules: string;
  /** Lines on each side. */
  size: number;
  /** How hard the partner thinks, if it has strengths. */
  strength: string | null;
  /** The partner's leaning, if it has one. */
  style: string | null;
  /** The student's color. */
  your_color: Color;
  /** The student's name; may be empty. */
  your_name: string;
};

/** A game in a list. */
export type GameSummary = {
  /** When it was begun, in milliseconds since 1970. */
  created_ms: number;
  /** Its name in the API. */
  id: string;
  /** Moves played. */
  moves: number;
  /** How far it is. */
  phase: Phase;
  /** How it ended. */
  result: string | null;
  /** What it is played by. */
  settings: GameSettings;
  /** When it last changed. */
  updated_ms: number;
};

/** A game as it stands. */
export type GameView = {
  /** Black's name; empty for a student without one. */
  black: string;
  /** Whether there is something to take back. */
  can_undo: boolean;
  clock: null | ClockView;
  /** When it was begun, in milliseconds since 1970. */
  created_ms: number;
  /** Why the partner cannot go on, if something is wrong with it. */
  failure: string | null;
  /** Its name in the API, which cannot be guessed. */
  id: string;
  /** The moves played. */
  moves: MoveView[];
  /** How far it is. */
  phase: Phase;
  /** The board. */
  position: PositionView;
  /** How the game ended: `B+3.5`, `W+R`, `B+T`, `0`. */
  result: string | null;
  scoring: null | ScoringView;
  /** What it is played by. */
  settings: GameSettings;
  /** Whether the partner is thinking or about to. */
  thinking: boolean;
  /** How often something was taken back. */
  undos: number;
  /** When it last changed. */
  updated_ms: number;
  /** White's name. */
  white: string;
  winner: null | Color;
  /** Whether the student may move now. */
  your_turn: boolean;
};

/** One point of a game's lead graph. */
export type GraphPoint = {
  /** The best move found. */
  best: string | null;
  /** Points Black is ahead by. */
  lead_black: number;
  /** The node of the record. */
  node: number;
  /** Moves played up to it. */
  number: number;
  /** Black's chance to win. */
  win_rate_black: number;
};

/** The latest move. */
export type LastMove = {
  /** Who moved. */
  color: Color;
  /** A vertex or `pass`. */
  move: string;
};

/** A rank a partner can play at (KGS ranks). */
export type LevelOffer = {
  /** Whether it is taken if none is asked for. */
  default: boolean;
  /** About the same rank on the Fox server; none for `auto`. */
  fox: string | null;
  /** The rank, e.g. `8k`, or `auto`. */
  id: string;
};

/** A game that the automatic level followed. */
export type LevelStep = {
  /** The automatic level after it. */
  after: string;
  /** When it ended, in milliseconds since 1970. */
  finished_ms: number;
  /** The game's name in the API; it may be deleted by now. */
  game: string;
  /** The level it was played at. */
  level: string;
  /** How it ended for the student. */
  outcome: Outcome;
};

/** Kinds of lines. */
export type LineKind = 'line' | 'arrow';

/** A mark on a point. */
export type Mark = {
  /** What kind. */
  kind: MarkKind;
  /** The point. */
  point: string;
  /** The text of a label; empty otherwise. */
  text: string;
};

/** Kinds of marks. */
export type MarkKind =
  | 'triangle'
  | 'square'
  | 'circle'
  | 'cross'
  | 'selected'
  | 'label'
  | 'territory_black'
  | 'territory_white'
  | 'dim';

/** One move of a game. */
export type MoveView = {
  /** Who moved. */
  color: Color;
  /** Whether the partner's record of it is kept. */
  has_why: boolean;
  /** A vertex or `pass`. */
  move: string;
  /** 1 for the first. */
  number: number;
};

/** A game to begin. What is left out is as usual. */
export type NewGame = {
  clock: null | ClockSettings;
  /** Black's handicap stones: 0, or 2 and more. */
  handicap: number;
  /** White's compensation; the rules' usual one unless given. */
  komi: number | null;
  /** The rank the partner plays at, or `auto`. */
  level: string | null;
  pace: null | Pace;
  /** The partner; the first of those offered unless given. */
  partner: string | null;
  /** The rules by name; the first of those offered unless given. */
  rules: string | null;
  /** Lines on each side; 9 unless given. */
  size: number | null;
  /** How hard the partner thinks. */
  strength: string | null;
  /** The partner's leaning. */
  style: string | null;
  your_color: null | YourColor;
  /** The student's name, for the record. */
  your_name: string | null;
};

/** A node that may come next. */
export type NextMove = {
  color: null | Color;
  /** What is played, if something is. */
  move: string | null;
  /** The node. */
  node: number;
};

/** A node with its position. */
export type NodeView = {
  /** Its comment; empty if it has none. Plain text. */
  comment: string;
  /** The node. */
  id: number;
  /** Lines and arrows. */
  lines: BoardLine[];
  /** Marks on points. */
  marks: Mark[];
  /** Its name; empty if it has none. */
  name: string;
  /** What comes next, the main line first. */
  next: NextMove[];
  /** The position after it. */
  position: PositionView;
};

/** How a game ended for the student. */
export type Outcome = 'won' | 'lost' | 'drawn';

/** Whether the partner takes its time. */
export type Pace = 'natural' | 'quick';

/** A partner to play with. */
export type PartnerOffer = {
  /** Whether it is for those who know what they want; the page folds it away. */
  advanced: boolean;
  /** Its name in the API. */
  id: string;
  /** The ranks it can play at, weakest first; empty if none is claimed. */
  levels: LevelOffer[];
  /** The boards on which its levels were measured; elsewhere they are a guess. */
  measured: number[];
  /** What it is, in a few English words. */
  name: string;
  /** How hard it can think, weakest first; empty if a level says it. */
  strengths: StrengthOffer[];
  /** Its leanings; empty if it has none. */
  styles: StyleOffer[];
};

/** How far a game is. */
export type Phase = 'playing' | 'scoring' | 'finished';

/** A move to play. */
export type PlayMove = {
  /** The number of moves the page had seen; another number is refused as stale. */
  after: number;
  /** A vertex, `pass` or `resign`. */
  move: string;
};

/** A position. */
export type PositionView = {
  /** The stones each side has taken. */
  captures: Captures;
  /** Empty points that the player to move may not play at. */
  forbidden: string[];
  /** Black's handicap stones. */
  handicap: number;
  /** Rows. */
  height: number;
  /** The point that simple ko bans. */
  ko: string | null;
  /** White's compensation. */
  komi: number;
  last_move: null | LastMove;
  /** Moves played so far. */
  move_number: number;
  /** The rules, by name. */
  rules: string;
  /** Points that boards have a dot on. */
  stars: string[];
  /** Row by row from the top left: 1 Black, −1 White, 0 empty. */
  stones: number[];
  /** Whose turn it is. */
  to_move: Color;
  /** Columns. */
  width: number;
};

/** What decided a move. */
export type Reason =
  | 'search'
  | 'partner'
  | 'opponent_passed'
  | 'settled'
  | 'no_move'
  | 'cleanup'
  | 'hopeless';

/** What a record says about a game besides the moves; empty where it says nothing. */
export type RecordInfo = {
  /** Black's name. */
  black: string;
  /** Black's rank as written. */
  black_rank: string;
  /** The date as written. */
  date: string;
  /** The event. */
  event: string;
  /** Black's handicap stones. */
  handicap: number;
  /** White's compensation. */
  komi: number;
  /** The place. */
  place: string;
  /** The result as written. */
  result: string;
  /** The rules as written. */
  rules: string;
  /** White's name. */
  white: string;
  /** White's rank as written. */
  white_rank: string;
};

/** Records kept, the latest first. */
export type RecordList = {
  /** The records. */
  records: RecordSummary[];
};

/** A record in a list. */
export type RecordSummary = {
  /** When it came, in milliseconds since 1970. */
  created_ms: number;
  /** Its name in the API. */
  id: string;
  /** What its file was called. */
  name: string;
};

/** One game of a record. */
export type RecordView = {
  /** Which game of the file this is, from 0. */
  game: number;
  /** How many games the file holds. */
  games: number;
  /** Rows. */
  height: number;
  /** Its name in the API. */
  id: string;
  /** Who, when, where. */
  info: RecordInfo;
  /** The ids of the main line, the root first. */
  main_line: number[];
  /** What its file was called. */
  name: string;
  /** Every node; a node's place in the list is its id, a parent comes before its children. */
  nodes: TreeNode[];
  /** What was wrong with the file, in English. */
  warnings: string[];
  /** Columns. */
  width: number;
};

/** Rules to play by. */
export type RulesOffer = {
  /** The usual komi with handicap stones. */
  handicap_komi: number;
  /** Their name in the API. */
  id: string;
  /** The usual komi of an even game. */
  komi: number;
  /** What counts at the end: `area` or `territory`. */
  scoring: string;
};

/** The count at the end of a game. */
export type ScoringView = {
  /** Black's. */
  black: SideCount;
  /** White's compensation: komi and the bonus for handicap stones. */
  compensation: number;
  /** What counts: `area` or `territory`. */
  counting: string;
  /** The stones taken as dead. */
  dead: string[];
  /** Whether the engine has proposed the dead stones yet. */
  ready: boolean;
  /** `B+3.5`, `W+0.5` or `0`. */
  score: string;
  /** Row by row: whose point it is, 1 Black, −1 White, 0 nobody's. */
  territory: number[];
  /** White's, without compensation. */
  white: SideCount;
};

/** What the page had seen when it asked for a change that needs nothing else. */
export type SeenMoves = {
  /** The number of moves the page had seen; another number is refused as stale. */
  after: number;
};

/** One player's clock. */
export type SideClock = {
  /** Periods left (byo-yomi) or stones left in this period (Canadian). */
  count: number;
  /** Main time left; 0 in overtime. */
  main_ms: number;
  /** Left of this period, or a whole one before overtime; 0 if there is no overtime. */
  period_ms: number;
};

/** What one side has at the end. */
export type SideCount = {
  /** What these come to by the rules. */
  points: number;
  /** Stones taken during the game and at its end. */
  prisoners: number;
  /** Living stones on the board. */
  stones: number;
  /** Empty points that count. */
  territory: number;
};

/** How hard a partner thinks. No rank is claimed for it. */
export type StrengthOffer = {
  /** Whether it is taken if none is asked for. */
  default: boolean;
  /** Its name in the API. */
  id: string;
  /** Playouts or evaluations for a move. */
  playouts: number;
};

/** A leaning of a partner. */
export type StyleOffer = {
  /** Its name in the API. */
  id: string;
};

/** How the partner's thinking goes. */
export type Thinking = {
  /** The moves played before this one. */
  after: number;
  /** The part of the thinking that is done, 0 to 1. */
  share: number;
  /** Visits so far. */
  visits: number;
};

/** One node of a record's tree. */
export type TreeNode = {
  /** The nodes after it, the main line first. */
  children: number[];
  color: null | Color;
  /** Whether it has a comment. */
  has_comment: boolean;
  /** Its place in the list. */
  id: number;
  /** What is played, a vertex or `pass`, if something is. */
  move: string | null;
  /** Its name, if it has one. */
  name: string | null;
  /** Moves played up to and with it. */
  number: number;
  /** The node before it; none for the root. */
  parent: number | null;
};

/** Why the partner did what it did. */
export type Why = {
  /** The moves it looked at, the best first; empty where a teaching partner chose. */
  candidates: CandidateView[];
  choice: null | ChoiceView;
  /** Who moved. */
  color: Color;
  /** What thought. */
  engine: string;
  /** Whether the mover found the game lost. */
  hopeless: boolean;
  /** Points the mover believed to be ahead by. */
  lead: number;
  /** A vertex, `pass` or `resign`. */
  move: string;
  /** The number of the move. */
  number: number;
  /** What decided. */
  reason: Reason;
  /** Time it took, without any human-like delay. */
  time_ms: number;
  /** Visits of the search. */
  visits: number;
  /** The mover's chance to win, as it believed. */
  win_rate: number;
};

/** The student's color. */
export type YourColor = 'black' | 'white' | 'random';
