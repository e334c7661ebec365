// placeholder until generated
export type Color = 'black' | 'white';
export interface StrengthOffer {
  id: string;
  playouts: number;
  default: boolean;
}
export interface Named {
  id: string;
  name: string;
}
export interface PartnerOffer {
  id: string;
  name: string;
  strengths: StrengthOffer[];
  levels: { id: string; default: boolean }[];
  styles: { id: string }[];
}
export interface SizeInfo {
  size: number;
  max_handicap: number;
}
export interface RulesInfo {
  id: string;
  scoring: string;
  komi: number;
  handicap_komi: number;
}
export interface About {
  name: string;
  version: string;
  engines: Named[];
  partners: PartnerOffer[];
  sizes: SizeInfo[];
  rules: RulesInfo[];
  max_record_bytes: number;
}
export type ClockSettings =
  | { kind: 'absolute'; main_s: number }
  | { kind: 'byo_yomi'; main_s: number; period_s: number; periods: number }
  | { kind: 'canadian'; main_s: number; period_s: number; stones: number };
export interface NewGame {
  size: number;
  rules: string;
  komi: number | null;
  handicap: number;
  your_color: Color | 'random';
  partner: string;
  strength: string | null;
  level: string | null;
  style: string | null;
  pace: 'natural' | 'quick';
  clock: ClockSettings | null;
  your_name: string | null;
}
export interface GameSettings {
  size: number;
  rules: string;
  komi: number;
  handicap: number;
  your_color: Color;
  partner: string;
  strength: string | null;
  level: string | null;
  style: string | null;
  pace: 'natural' | 'quick';
  clock: ClockSettings | null;
  your_name: string;
}
export interface GameSummary {
  id: string;
  created_ms: number;
  updated_ms: number;
  phase: Phase;
  settings: GameSettings;
  moves: number;
  result: string | null;
  stones?: number[];
}
export interface GameList {
  games: GameSummary[];
}
export type Phase = 'playing' | 'scoring' | 'finished';
export interface MoveView {
  number: number;
  color: Color;
  move: string;
  has_why: boolean;
}
export interface PositionView {
  width: number;
  height: number;
  stones: number[];
  to_move: Color;
  captures: { black: number; white: number };
  ko: string | null;
  forbidden: string[];
  last_move: { color: Color; move: string } | null;
  move_number: number;
  komi: number;
  rules: string;
  handicap: number;
  stars: string[];
}
export interface SideCount {
  stones: number;
  territory: number;
  prisoners: number;
  points: number;
}
export interface ScoringView {
  ready: boolean;
  dead: string[];
  territory: number[];
  score: string;
  black: SideCount;
  white: SideCount;
  compensation: number;
  counting: string;
}
export interface SideClock {
  main_ms: number;
  period_ms: number;
  count: number;
}
export interface ClockView {
  running: Color | null;
  black: SideClock;
  white: SideClock;
}
export interface GameView {
  id: string;
  created_ms: number;
  updated_ms: number;
  phase: Phase;
  settings: GameSettings;
  black: string;
  white: string;
  position: PositionView;
  moves: MoveView[];
  your_turn: boolean;
  thinking: boolean;
  can_undo: boolean;
  undos: number;
  clock: ClockView | null;
  scoring: ScoringView | null;
  result: string | null;
  winner: Color | null;
  failure: string | null;
}
export interface Thinking {
  after: number;
  visits: number;
  share: number;
}
export interface Estimate {
  lead_black: number;
  win_rate_black: number;
  ownership: number[];
}
export interface CandidateView {
  move: string;
  visits: number;
  win_rate: number;
  lead: number;
  prior: number;
  line: string[];
}
export interface Why {
  number: number;
  color: Color;
  move: string;
  reason: string;
  engine: string;
  visits: number;
  time_ms: number;
  win_rate: number;
  lead: number;
  hopeless: boolean;
  candidates: CandidateView[];
}
export interface RecordSummary {
  id: string;
  name: string;
  created_ms: number;
}
export interface RecordList {
  records: RecordSummary[];
}
export interface RecordInfo {
  black: string;
  white: string;
  black_rank: string;
  white_rank: string;
  result: string;
  date: string;
  event: string;
  place: string;
  rules: string;
  komi: number;
  handicap: number;
}
export interface TreeNode {
  id: number;
  parent: number | null;
  children: number[];
  color: Color | null;
  move: string | null;
  number: number;
  has_comment: boolean;
  name: string | null;
}
export interface RecordView {
  id: string;
  name: string;
  game: number;
  games: number;
  info: RecordInfo;
  width: number;
  height: number;
  warnings: string[];
  nodes: TreeNode[];
  main_line: number[];
}
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
export interface Mark {
  point: string;
  kind: MarkKind;
  text: string;
}
export interface BoardLine {
  from: string;
  to: string;
  kind: 'line' | 'arrow';
}
export interface NodeView {
  id: number;
  position: PositionView;
  comment: string;
  name: string;
  marks: Mark[];
  lines: BoardLine[];
  next: { node: number; color: Color | null; move: string | null }[];
}
export interface AnalysisView {
  to_move: Color;
  visits: number;
  done: boolean;
  win_rate_black: number;
  lead_black: number;
  ownership: number[];
  candidates: CandidateView[];
}
export interface GraphPoint {
  node: number;
  number: number;
  lead_black: number;
  win_rate_black: number;
  best: string | null;
}
