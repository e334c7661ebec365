// The page in English. The other languages have exactly these entries (see index.ts).

import { percent, signed, tenths } from '../look/numbers';
import { key, type Side } from './words';

const color = (side: Side): string => (side === 'black' ? 'Black' : 'White');
const count = (n: number, one: string, many: string) => `${n} ${n === 1 ? one : many}`;
const move = (text: string) =>
  text === 'pass' ? 'pass' : text === 'resign' ? 'resign' : text;

function played(side: Side, vertex: string): string {
  if (vertex === 'pass') return `${color(side)} passes.`;
  if (vertex === 'resign') return `${color(side)} resigns.`;
  return `${color(side)} ${vertex}.`;
}

/** `B+3.5` as a sentence. */
function result(text: string): string {
  if (text === '0' || text === '') return 'The game is a draw.';
  const winner = text.startsWith('B') ? 'Black' : 'White';
  const how = text.slice(2);
  if (how === 'R') return `${winner} wins by resignation.`;
  if (how === 'T') return `${winner} wins on time.`;
  return `${winner} wins by ${how === '1' ? '1 point' : `${how} points`}.`;
}

function lead(points: number): string {
  const rounded = Math.round(Math.abs(points) * 10) / 10;
  if (rounded === 0) return 'Even.';
  return `${color(points > 0 ? 'black' : 'white')} is ahead by ${count(rounded, 'point', 'points')}.`;
}

export const en = {
  code: 'en',
  name: 'English',
  common: { cancel: 'Cancel', close: 'Close', loading: 'One moment…' },
  shell: {
    skip: 'Skip to the content',
    pages: 'Pages',
    play: 'Play',
    look: 'Look',
    language: 'Language',
    theme: 'Theme',
    themes: { system: 'as the system', light: 'light', dark: 'dark' },
  },
  board: {
    help: 'Arrow keys move the cursor, Enter plays there. Or type a point such as D4 below the board.',
    size: (width: number, height: number) => `${width} by ${height}`,
    point: (vertex: string, sign: number) =>
      `${vertex}, ${sign === 0 ? 'empty' : sign > 0 ? 'black stone' : 'white stone'}`,
  },
  play: {
    title: 'A game at your level',
    text: 'Choose a board and a level, and play. Everything stays on this computer.',
  },
  newGame: {
    title: 'New game',
    size: 'Board',
    color: 'Your color',
    colors: { black: 'Black', white: 'White', random: 'Random' },
    partner: 'Partner',
    level: 'Level',
    levelAuto:
      'Follows your results: a little stronger after a win, weaker after a loss.',
    levelAutoNow: (rank: string) => `Automatic (now ${rank})`,
    levelMeaning: (rank: string, who: string, fox: string) =>
      `${rank}: ${who}. It is a KGS rank, about ${fox} on Fox. Kyu (k) count down to 1k, then dan (d) count up.`,
    levelGuess: 'With this board it has not been measured yet: take it as a guess.',
    levelWho: {
      new: 'somebody new to the game',
      basics: 'somebody who knows the basics',
      regular: 'somebody who plays regularly',
      strong: 'a strong club player',
    },
    strength: 'Strength',
    playouts: (n: number) =>
      `Thinks through about ${n.toLocaleString('en')} games for each move. No rank is claimed for it.`,
    evaluations: (n: number) =>
      `Looks at about ${n.toLocaleString('en')} position${n === 1 ? '' : 's'} for each move. No rank is claimed for it.`,
    style: 'Style',
    noStyle: 'No preference',
    morePartners: 'More partners, for the curious',
    noPartner: 'The server offers no partner.',
    more: 'Rules, handicap, clock…',
    rules: 'Rules',
    countings: {
      area: 'Stones and surrounded points count.',
      territory: 'Surrounded points and prisoners count.',
    },
    komi: 'Komi',
    komiHint: (usual: number) =>
      `White’s points for moving second; ${usual} unless you say otherwise.`,
    komiBad: 'A number with at most one half, such as 6.5.',
    handicap: 'Handicap',
    handicapHint: 'Black’s stones on the board at the start; White moves first.',
    stones: (n: number) => (n === 0 ? 'none' : `${n} stones`),
    clock: 'Clock',
    clocks: {
      none: 'none',
      relaxed: 'relaxed',
      normal: 'normal',
      fast: 'fast',
      own: 'my own',
    },
    clockHints: {
      none: 'Take your time.',
      relaxed: '30 minutes, then 3 periods of 60 seconds.',
      normal: '10 minutes, then 3 periods of 30 seconds.',
      fast: '1 minute, then 5 periods of 10 seconds.',
      own: 'Byo-yomi: a period is lost only if one move uses it up.',
    },
    mainMinutes: 'Main time (minutes)',
    periodSeconds: 'Period (seconds)',
    periods: 'Periods',
    name: 'Your name',
    nameHint: 'For the game record; may stay empty.',
    quick: 'The partner answers at once, without a human’s pauses',
    start: 'Start the game',
    starting: 'Starting…',
  },
  list: {
    title: 'Your games',
    phases: { playing: 'In progress', scoring: 'To be counted' },
    facts: (size: number, side: Side, moves: number) =>
      `${size} × ${size} · you are ${color(side)} · ${count(moves, 'move', 'moves')}`,
    all: (n: number) => `Show all ${n}`,
    remove: 'Delete',
    removeTitle: 'Delete this game?',
    removeText: 'Its moves are removed from this computer for good.',
    removed: 'The game was deleted.',
  },
  names: {
    rules: {
      japanese: 'Japanese',
      chinese: 'Chinese',
      korean: 'Korean',
      aga: 'AGA',
      ing: 'Ing',
      'new-zealand': 'New Zealand',
      'tromp-taylor': 'Tromp–Taylor',
    },
    rank: (rank: string) => rank,
    partners: {
      classic: 'Classic engine',
      native: 'Network',
      natural: 'Natural',
      human: 'Like people',
      gentle: 'Gentle',
      'gentle-a': 'Gentle, simpler',
      halving: 'Halving',
      roles: 'Two roles',
      softmax: 'Softmax',
      naive: 'Even chances',
    },
    partnerTexts: {
      classic: 'Its best move by tree search; you say how hard it thinks.',
      native: 'Its best move by a network; you say how hard it thinks.',
      natural: 'Natural moves that keep the game close.',
      human: 'Moves as people of this level play them, mistakes and all.',
      gentle: 'Sound moves; when it is ahead it gives way quietly.',
      'gentle-a': 'Gentle with its first method alone.',
      halving: 'As Natural, with a sharper rule of how much to give away.',
      roles: 'As Halving, but from a single search.',
      softmax: 'Draws one of the moves it looked at most.',
      naive: 'Always the move that leaves the chances most even.',
    },
    strengths: {
      light: 'Light',
      easy: 'Easy',
      medium: 'Medium',
      serious: 'Serious',
      deep: 'Deep',
    },
    styles: {
      center: 'Center',
      edge: 'Edge',
      aggressive: 'Aggressive',
      defensive: 'Defensive',
      optimistic: 'Optimistic',
      pessimistic: 'Pessimistic',
    },
  },
  game: {
    title: (black: string, white: string) => `${black} (Black) against ${white} (White)`,
    boardLabel: 'Go board',
    you: 'You',
    colorName: color,
    move,
    moveNumber: (n: number, side: Side, vertex: string) =>
      `Move ${n}: ${color(side)} ${move(vertex)}.`,
    played,
    captured: (side: Side, n: number) =>
      `${color(side)} takes ${count(n, 'stone', 'stones')}.`,
    takenBack: 'Taken back.',
    yourTurn: (side: Side) => `Your turn (${color(side)}).`,
    partnersTurn: 'The partner’s turn.',
    thinking: 'The partner is thinking…',
    failed: (why: string) => `The partner cannot go on: ${why}`,
    taken: (n: number) => `${count(n, 'prisoner', 'prisoners')}`,
    komi: (n: number) => `komi ${n}`,
    handicap: (n: number) => `handicap ${n}`,
    periodsLeft: (n: number) => `${n} ×`,
    stonesLeft: (n: number) => `${n} to play`,
    pass: 'Pass',
    undo: 'Undo',
    estimate: 'Estimate',
    hideEstimate: 'Hide estimate',
    estimating: 'Estimating…',
    resign: 'Resign',
    resignTitle: 'Resign this game?',
    resignText: 'The game ends and the partner wins.',
    confirm: (vertex: string) => `Play ${vertex}`,
    typed: 'Point',
    playTyped: 'Play',
    notAMove: (text: string) =>
      `“${text}” is no point of this board. Type a letter and a number, such as D4, or pass.`,
    occupied: (vertex: string) => `There is a stone at ${vertex}.`,
    ko: (vertex: string) => `Ko: ${vertex} may not be retaken at once.`,
    forbidden: (vertex: string) =>
      `${vertex} may not be played: the stone would have no liberty, or the position would repeat.`,
    lead,
    winRate: (black: number) => `Black wins ${percent(black)}`,
    moves: (n: number) => `Moves (${n})`,
    backToGame: 'Back to the game',
    shownMove: (n: number, of: number) =>
      n === 0 ? 'Before the first move.' : `Move ${n} of ${of}.`,
    backAgain: 'This is the game as it stands.',
    scoring: 'Both passed. Which stones are dead?',
    scoringTitle: 'Counting',
    counting: 'Finding the dead stones…',
    scoreNow: (score: string) => `Count: ${result(score)}`,
    deadHelp:
      'Crossed stones count as dead. Choose a stone to change that for its chain.',
    agree: 'Agree',
    playOn: 'Play on',
    countTerritory: 'Territory',
    countStones: 'Living stones',
    countPrisoners: 'Prisoners',
    countKomi: 'Komi',
    countSum: 'Total',
    outcomes: { won: 'You won', lost: 'You lost', drawn: 'A draw' },
    ended: (text: string, how: 'won' | 'lost' | 'drawn') =>
      `The game is over. ${result(text)}${how === 'won' ? ' Well played!' : ''}`,
    resultText: result,
    why: 'Why this move?',
    whyHint: 'Step to a move of the partner to ask about it.',
    whyTitle: (n: number, side: Side, vertex: string) =>
      `Move ${n}: ${color(side)} ${move(vertex)}`,
    reasons: {
      search: 'Of what it considered, it looked at this move the most.',
      partner: 'It chose by its own rule.',
      opponent_passed: 'You had passed, and the count was won.',
      settled: 'Everything was settled; no move would gain anything.',
      no_move: 'There was no sensible move left.',
      cleanup: 'Dead stones had to come off before the count.',
      hopeless: 'It found the game lost.',
    },
    believed: (winRate: number, points: number, visits: number) =>
      `It gave itself ${percent(winRate)} to win and ${signed(points)} points, after ${visits.toLocaleString('en')} visits.`,
    rules: {
      'best-move': 'It played the strongest move it found.',
      'human-draw': 'It played as a person of this level might.',
      'visits-draw': 'It drew one of the moves it had looked at most.',
      'roles-score': 'It looked for a natural move that keeps the game close.',
      'halving-score': 'It looked for a natural move that keeps the game close.',
      'natural-score': 'It looked for a natural move that keeps the game close.',
      'nearest-even': 'It played the move that leaves the chances most even.',
      'clear-best': 'One move was far better than all others.',
      behind: 'It was behind, so it played the best move it found.',
      'most-natural': 'The game was even: it played the most natural of the good moves.',
      'give-way': 'It was ahead, so it gave way a little with a natural move.',
      'endgame-obvious': 'Everybody would play here at this stage.',
      'endgame-preference': 'It chose a natural endgame move that keeps the score close.',
      'only-move': 'There was only one sensible move.',
      'no-move': 'There was nothing left to play.',
    },
    notes: {
      'opening-eased': 'In the opening it gives away less.',
      'handicap-eased': 'It takes its time to make up for the handicap.',
      'ladder-answered': 'A ladder had to be answered.',
      'extra-simulations': 'Its first ideas turned out bad, so it thought again.',
      'simulations-raised': 'It thought a little longer, to be sure.',
      'drawn-by-score':
        'It drew the move from those that were left, the better the likelier.',
      'endgame-started': 'For it the endgame began here.',
      'concern-overlooked': 'No move was quite right here.',
    },
    setAside: {
      'few-visits': 'hardly looked at',
      'loses-too-much': 'loses too much',
      unnatural: 'nobody plays it',
      'fails-conditions': 'does not fit',
      'own-eye': 'fills its own eye',
      'self-atari': 'puts itself in atari',
      settled: 'in settled territory',
      'early-pass': 'too early to pass',
      'ignores-ladder': 'leaves the ladder',
      'not-promising': 'not in the last round',
    },
    target: (wanted: number, given: number) =>
      `It wanted to give away about ${tenths(wanted)} points; this move gave away ${tenths(given)}.`,
    knew: (ahead: number, simulations: number) =>
      `With its best move it saw itself at ${signed(ahead)} points, after ${simulations.toLocaleString('en')} simulations.`,
    betweenSentences: ' ',
    considered: 'What it considered',
    loss: 'Loss',
    natural: 'Natural',
    autoLevel: (rank: string) => `Your automatic level is now ${rank}.`,
    lookAt: 'Look at it',
    save: 'Save SGF',
    copy: 'Copy SGF',
    copied: 'The record is on the clipboard.',
    notCopied: 'The browser did not allow copying. Save the file instead.',
    again: 'Play again',
    deleted: 'It was deleted.',
    gone: 'This game is not here',
    toGames: 'To your games',
  },
  steps: {
    group: 'Moves',
    first: 'To the start',
    previous: 'One move back',
    next: 'One move forward',
    last: 'To the end',
    at: (at: number, of: number) => `${at} / ${of}`,
  },
  look: {
    title: 'Look at a game',
    text: 'Bring a game record (SGF) and step through it with the engine.',
    drop: 'Drop an SGF file here, or pick one',
    paste: 'Or paste its text',
    openPasted: 'Open',
    pasted: 'pasted',
    records: 'Opened before',
    unnamed: 'without a name',
    remove: 'Delete',
    removeTitle: 'Delete this record?',
    removeText: 'It is removed from shido only; your own file stays.',
    removed: 'The record was deleted.',
    missing: 'This record is not here',
    toRecords: 'To the records',
    boardLabel: 'Go board',
    which: 'Game of the file',
    comment: 'Comment',
    variations: 'Variations',
    branches: (n: number) => `${n} variations follow.`,
    warnings: (n: number) => `${count(n, 'remark', 'remarks')} about the file`,
    tree: 'Variations',
    engine: 'Engine',
    analyze: 'Analyze',
    ownership: 'Ownership',
    thinking: 'Thinking…',
    visitCount: (n: string) => `${n} visits`,
    candidatesFor: (side: Side) => `Candidates for ${color(side)}`,
    letter: 'Letter',
    showLine: (letter: string, vertex: string) =>
      `${letter}: how it may go on after ${vertex}`,
    move: 'Move',
    lead: 'Lead',
    winRate: 'Wins',
    visits: 'Visits',
    played: 'played',
    graph: 'Lead over the game',
    graphOf: (known: number, all: number) => (known < all ? `${known} of ${all}` : ''),
    upBlack: 'Black ahead',
    downWhite: 'White ahead',
  },
  help: {
    title: 'Keys',
    letters: 'Letters as shortcuts',
    coordinates: 'Show coordinates on the board',
    groups: [
      {
        title: 'On the board',
        keys: [
          key('← ↑ ↓ →', 'move the cursor (with Shift by three)'),
          key('Enter', 'play there, or mark a chain as dead'),
          key('Esc', 'hide the cursor'),
        ],
      },
      {
        title: 'In a game',
        keys: [
          key('P', 'pass'),
          key('U', 'undo'),
          key('E', 'estimate the score'),
          key('R', 'resign'),
          key('A', 'agree to the count'),
          key('C', 'play on instead of counting'),
          key('[ ]', 'one move back, one forward'),
          key('W', 'why this move? (after the game)'),
        ],
      },
      {
        title: 'In a record',
        keys: [
          key('← →', 'one move back, one forward'),
          key('↑ ↓', 'another variation'),
          key('PgUp PgDn', 'ten moves'),
          key('Home End', 'to the start, to the end'),
          key('A', 'analysis on or off'),
          key('O', 'ownership on or off'),
        ],
      },
      {
        title: 'Everywhere',
        keys: [key('H', 'to Play'), key('L', 'to Look'), key('?', 'these keys')],
      },
    ],
  },
  errors: {
    stopped:
      'shido does not answer. Start it again: nothing is lost, and the page goes on by itself.',
    internal: (message: string) => `Something went wrong: ${message}`,
    badRecord: (why: string) => `This record cannot be shown: ${why}.`,
    tooLarge: (megabytes: string) =>
      `The file is too large: at most ${megabytes} MB are taken.`,
    byCode: {
      not_found: 'That is not here (any more).',
      illegal_move: 'That move is not allowed.',
      not_your_turn: 'It is not your turn.',
      wrong_phase: 'That cannot be done at this stage of the game.',
      stale: 'The game had moved on; now it is up to date.',
      too_large: 'The file is too large.',
      too_many: 'Too many requests at once. Wait a moment.',
      busy: 'The engine is busy. Wait a moment.',
      storage: 'The data could not be read or written. The log file says more.',
      storage_full: 'The disk is full. Nothing was changed; make room and try again.',
      storage_locked: 'Another program holds the database. Close it and try again.',
      offline: 'shido does not answer.',
      no_answer:
        'shido did not answer in time. If many of its windows are open, close some; then try again.',
    },
  },
};
