// The page in Korean.

import { percent, signed, tenths } from '../look/numbers';
import type { Words } from './index';
import { key, type Side } from './words';

const color = (side: Side): string => (side === 'black' ? '흑' : '백');
const move = (text: string) =>
  text === 'pass' ? '한 수 쉼' : text === 'resign' ? '기권' : text;

/** Points as counted: 3.5 is 3집 반. */
function points(n: number): string {
  const whole = Math.trunc(n);
  if (n === 0.5) return '반집';
  return n - whole === 0.5 ? `${whole}집 반` : `${n}집`;
}

function result(text: string): string {
  if (text === '0' || text === '') return '무승부입니다.';
  const winner = text.startsWith('B') ? '흑' : '백';
  const how = text.slice(2);
  if (how === 'R') return `${winner} 불계승입니다.`;
  if (how === 'T') return `${winner} 시간승입니다.`;
  return `${winner} ${points(Number(how))} 승입니다.`;
}

function lead(n: number): string {
  const rounded = Math.round(Math.abs(n) * 10) / 10;
  if (rounded === 0) return '팽팽합니다.';
  return `${color(n > 0 ? 'black' : 'white')}이 ${points(rounded)} 앞섭니다.`;
}

/** `8k` as 8급, `1d` as 1단. */
const rankName = (rank: string) => rank.replace(/k$/, '급').replace(/d$/, '단');

export const ko: Words = {
  code: 'ko',
  name: '한국어',
  common: { cancel: '취소', close: '닫기', loading: '잠시만 기다려 주세요…' },
  shell: {
    skip: '본문으로',
    pages: '페이지',
    play: '대국',
    look: '기보',
    language: '언어',
    theme: '화면 색',
    themes: { system: '시스템 설정', light: '밝게', dark: '어둡게' },
  },
  board: {
    help: '화살표 키로 커서를 옮기고 Enter로 둡니다. 판 아래에 D4처럼 좌표를 입력해도 됩니다.',
    size: (width, height) =>
      width === height ? `${width}줄 바둑판` : `${width}×${height}줄`,
    point: (vertex, sign) =>
      `${vertex}, ${sign === 0 ? '빈 점' : sign > 0 ? '흑돌' : '백돌'}`,
  },
  play: {
    title: '내 실력에 맞는 한 판',
    text: '바둑판과 기력을 고르고 시작하세요. 모든 데이터는 이 컴퓨터에만 남습니다.',
  },
  newGame: {
    title: '새 대국',
    size: '바둑판',
    color: '내 돌',
    colors: { black: '흑', white: '백', random: '돌 가리기' },
    partner: '상대',
    level: '기력',
    levelAuto: '대국 결과를 따라갑니다. 이기면 조금 강해지고 지면 조금 약해집니다.',
    levelAutoNow: (rank) => `자동(지금 ${rankName(rank)})`,
    levelMeaning: (rank, who, fox) =>
      `${rankName(rank)}: ${who}. KGS 기준이며, Fox 기준으로는 약 ${rankName(fox)}입니다. 급은 작을수록, 단은 클수록 강합니다.`,
    levelGuess: '이 바둑판에서는 아직 측정하지 않아 어림값입니다.',
    levelWho: {
      new: '막 배운 사람',
      basics: '기본을 아는 사람',
      regular: '꾸준히 두는 사람',
      strong: '기원의 강자',
    },
    strength: '강도',
    playouts: (n) =>
      `한 수마다 약 ${n.toLocaleString('ko')}판을 두어 봅니다. 급수를 뜻하지는 않습니다.`,
    evaluations: (n) =>
      `한 수마다 약 ${n.toLocaleString('ko')}개 국면을 살펴봅니다. 급수를 뜻하지는 않습니다.`,
    style: '기풍',
    noStyle: '상관없음',
    morePartners: '다른 상대(연구용)',
    noPartner: '둘 수 있는 상대가 없습니다.',
    more: '규칙, 접바둑, 시계…',
    rules: '규칙',
    countings: {
      area: '살아 있는 돌과 집을 셉니다.',
      territory: '집과 따낸 돌을 셉니다.',
    },
    komi: '덤',
    komiHint: (usual) => `나중에 두는 백이 받는 집입니다. 비우면 ${points(usual)}입니다.`,
    komiBad: '6.5처럼 0.5 단위의 수를 입력하세요.',
    handicap: '접바둑',
    handicapHint: '처음에 놓는 흑돌의 수입니다. 백이 먼저 둡니다.',
    stones: (n) => (n === 0 ? '없음' : `${n}점`),
    clock: '제한 시간',
    clocks: {
      none: '없음',
      relaxed: '느긋하게',
      normal: '보통',
      fast: '속기',
      own: '직접 정하기',
    },
    clockHints: {
      none: '시간 걱정 없이 두세요.',
      relaxed: '30분, 그 뒤 60초 초읽기 3회.',
      normal: '10분, 그 뒤 30초 초읽기 3회.',
      fast: '1분, 그 뒤 10초 초읽기 5회.',
      own: '초읽기: 한 수에 모두 써야 한 번이 줄어듭니다.',
    },
    mainMinutes: '기본 시간(분)',
    periodSeconds: '초읽기(초)',
    periods: '초읽기 횟수',
    name: '이름',
    nameHint: '기보에 남습니다. 비워도 됩니다.',
    quick: '상대가 뜸 들이지 않고 바로 둠',
    start: '대국 시작',
    starting: '시작하는 중…',
  },
  list: {
    title: '내 대국',
    phases: { playing: '두는 중', scoring: '계가 대기' },
    facts: (size, side, moves) => `${size}줄 · 내 돌 ${color(side)} · ${moves}수`,
    all: (n) => `${n}판 모두 보기`,
    remove: '삭제',
    removeTitle: '이 대국을 삭제할까요?',
    removeText: '이 컴퓨터에서 완전히 지워집니다.',
    removed: '대국을 지웠습니다.',
  },
  names: {
    rules: {
      japanese: '일본 규칙',
      chinese: '중국 규칙',
      korean: '한국 규칙',
      aga: 'AGA 규칙',
      ing: '응씨 규칙',
      'new-zealand': '뉴질랜드 규칙',
      'tromp-taylor': 'Tromp–Taylor 규칙',
    },
    rank: rankName,
    partners: {
      classic: '클래식 엔진',
      native: '신경망',
      natural: '자연스럽게',
      human: '사람처럼',
      gentle: '부드럽게',
      'gentle-a': '부드럽게(간단히)',
      halving: '절반씩 추리기',
      roles: '두 가지 역할',
      softmax: '소프트맥스',
      naive: '팽팽하게',
    },
    partnerTexts: {
      classic:
        '트리 탐색으로 가장 좋다고 본 수를 둡니다. 얼마나 생각할지는 직접 정합니다.',
      native: '신경망으로 가장 좋다고 본 수를 둡니다. 얼마나 생각할지는 직접 정합니다.',
      natural: '자연스러운 수로 팽팽한 바둑을 둡니다.',
      human: '그 기력의 사람처럼 둡니다. 실수도 합니다.',
      gentle: '견실하게 두고, 앞서면 슬며시 늦춰 줍니다.',
      'gentle-a': '‘부드럽게’의 첫 번째 방법만 씁니다.',
      halving: '‘자연스럽게’와 비슷하지만 늦춰 주는 기준이 더 엄격합니다.',
      roles: '‘절반씩 추리기’를 한 번의 탐색으로 합니다.',
      softmax: '많이 읽은 수 가운데 하나를 뽑습니다.',
      naive: '언제나 승률이 반반에 가장 가까워지는 수를 둡니다.',
    },
    strengths: {
      light: '가볍게',
      easy: '쉽게',
      medium: '보통',
      serious: '진지하게',
      deep: '깊게',
    },
    styles: {
      center: '중앙 중시',
      edge: '변 중시',
      aggressive: '공격적',
      defensive: '수비적',
      optimistic: '낙관적',
      pessimistic: '비관적',
    },
  },
  game: {
    title: (black, white) => `흑 ${black} 대 백 ${white}`,
    boardLabel: '바둑판',
    you: '나',
    colorName: color,
    move,
    moveNumber: (n, side, vertex) => `${n}수: ${color(side)} ${move(vertex)}.`,
    played: (side, vertex) => `${color(side)} ${move(vertex)}.`,
    captured: (side, n) => `${color(side)}이 ${n}점을 따냈습니다.`,
    takenBack: '물렀습니다.',
    yourTurn: (side) => `내 차례입니다(${color(side)}).`,
    partnersTurn: '상대 차례입니다.',
    thinking: '상대가 생각하고 있습니다…',
    failed: (why) => `상대가 계속 둘 수 없습니다: ${why}`,
    taken: (n) => `따낸 돌 ${n}`,
    komi: (n) => `덤 ${points(n)}`,
    handicap: (n) => `${n}점 접바둑`,
    periodsLeft: (n) => `${n}회 남음`,
    stonesLeft: (n) => `${n}수 남음`,
    pass: '한 수 쉼',
    undo: '무르기',
    estimate: '형세 판단',
    hideEstimate: '판단 숨기기',
    estimating: '형세를 판단하고 있습니다…',
    resign: '기권',
    resignTitle: '기권할까요?',
    resignText: '대국이 끝나고 상대가 이깁니다.',
    confirm: (vertex) => `${vertex}에 두기`,
    typed: '좌표',
    playTyped: '두기',
    notAMove: (text) =>
      `“${text}”은(는) 이 판의 좌표가 아닙니다. D4처럼 글자와 숫자, 또는 pass를 입력하세요.`,
    occupied: (vertex) => `${vertex}에는 이미 돌이 있습니다.`,
    ko: (vertex) => `패입니다. ${vertex}은(는) 바로 되따낼 수 없습니다.`,
    forbidden: (vertex) =>
      `${vertex}은(는) 둘 수 없습니다: 활로가 없거나 같은 모양이 되풀이됩니다.`,
    lead,
    winRate: (black) => `흑 승률 ${percent(black)}`,
    moves: (n) => `수순(${n})`,
    backToGame: '대국으로 돌아가기',
    shownMove: (n, of) => (n === 0 ? '첫 수 이전입니다.' : `${of}수 중 ${n}수째입니다.`),
    backAgain: '현재 국면입니다.',
    scoring: '양쪽이 쉬었습니다. 죽은 돌을 확인하세요.',
    scoringTitle: '계가',
    counting: '죽은 돌을 찾고 있습니다…',
    scoreNow: (score) => `계가: ${result(score)}`,
    deadHelp: '가위표가 있는 돌은 죽은 돌입니다. 돌을 고르면 그 무리의 사활이 바뀝니다.',
    agree: '동의',
    playOn: '계속 두기',
    countTerritory: '집',
    countStones: '산 돌',
    countPrisoners: '따낸 돌',
    countKomi: '덤',
    countSum: '합계',
    outcomes: { won: '이겼습니다', lost: '졌습니다', drawn: '무승부' },
    ended: (text, how) =>
      `대국이 끝났습니다. ${result(text)}${how === 'won' ? ' 잘 두셨습니다!' : ''}`,
    resultText: result,
    why: '왜 이 수를 두었나요?',
    whyHint: '상대의 수로 가면 그 이유를 볼 수 있습니다.',
    whyTitle: (n, side, vertex) => `${n}수: ${color(side)} ${move(vertex)}`,
    reasons: {
      search: '살펴본 수 가운데 가장 많이 읽은 수입니다.',
      partner: '상대가 자기 방식대로 골랐습니다.',
      opponent_passed: '내가 한 수 쉬었고, 계가하면 상대가 이기는 상황이었습니다.',
      settled: '모두 정해져서 더 얻을 것이 없었습니다.',
      no_move: '둘 만한 수가 남지 않았습니다.',
      cleanup: '계가하기 전에 죽은 돌을 들어내야 했습니다.',
      hopeless: '졌다고 보았습니다.',
    },
    believed: (winRate, n, visits) =>
      `자기 승률을 ${percent(winRate)}, 집 차이를 ${signed(n)}(으)로 보았습니다(탐색 ${visits.toLocaleString('ko')}회).`,
    rules: {
      'best-move': '찾아낸 가장 강한 수를 두었습니다.',
      'human-draw': '이 기력의 사람이 둘 만한 수를 두었습니다.',
      'visits-draw': '많이 읽은 수 가운데 하나를 뽑았습니다.',
      'roles-score': '팽팽함을 지키는 자연스러운 수를 찾았습니다.',
      'halving-score': '팽팽함을 지키는 자연스러운 수를 찾았습니다.',
      'natural-score': '팽팽함을 지키는 자연스러운 수를 찾았습니다.',
      'nearest-even': '승률이 반반에 가장 가까워지는 수를 두었습니다.',
      'clear-best': '다른 수보다 훨씬 좋은 수가 하나 있었습니다.',
      behind: '형세가 나빠서 찾아낸 가장 좋은 수를 두었습니다.',
      'most-natural': '형세가 팽팽해서 좋은 수 가운데 가장 자연스러운 수를 두었습니다.',
      'give-way': '앞서 있어서 자연스러운 수로 조금 늦춰 주었습니다.',
      'endgame-obvious': '이 단계에서는 누구나 두는 자리입니다.',
      'endgame-preference': '집 차이가 크지 않도록 자연스러운 끝내기를 골랐습니다.',
      'only-move': '둘 만한 수가 하나뿐이었습니다.',
      'no-move': '더 둘 곳이 없었습니다.',
    },
    notes: {
      'opening-eased': '포석에서는 덜 늦춰 줍니다.',
      'handicap-eased': '접바둑의 차이는 서두르지 않고 따라갑니다.',
      'ladder-answered': '축에 응해야 했습니다.',
      'extra-simulations': '처음 생각한 수가 나빠서 다시 생각했습니다.',
      'simulations-raised': '확실히 하려고 조금 더 생각했습니다.',
      'drawn-by-score':
        '남은 후보 가운데, 평가가 높을수록 잘 뽑히도록 하나를 뽑았습니다.',
      'endgame-started': '여기서부터 끝내기로 보았습니다.',
      'concern-overlooked': '딱 맞는 수가 없는 자리였습니다.',
    },
    setAside: {
      'few-visits': '거의 읽지 않음',
      'loses-too-much': '손해가 너무 큼',
      unnatural: '아무도 두지 않음',
      'fails-conditions': '조건에 맞지 않음',
      'own-eye': '자기 눈을 메움',
      'self-atari': '스스로 단수가 됨',
      settled: '이미 정해진 곳',
      'early-pass': '쉬기에는 이름',
      'ignores-ladder': '축을 내버려 둠',
      'not-promising': '마지막 후보에 들지 못함',
    },
    target: (wanted, given) =>
      `${tenths(wanted)}집쯤 늦춰 주려 했고, 이 수로 ${tenths(given)}집을 늦춰 주었습니다.`,
    knew: (ahead, simulations) =>
      `가장 좋은 수를 두면 집 차이가 ${signed(ahead)}(이)라고 보았습니다(탐색 ${simulations.toLocaleString('ko')}회).`,
    betweenSentences: ' ',
    considered: '살펴본 수',
    loss: '손해',
    natural: '자연스러움',
    autoLevel: (rank) => `자동 기력이 이제 ${rankName(rank)}입니다.`,
    lookAt: '기보로 보기',
    save: 'SGF 저장',
    copy: 'SGF 복사',
    copied: '기보를 클립보드에 복사했습니다.',
    notCopied: '브라우저가 복사를 허용하지 않았습니다. 파일로 저장하세요.',
    again: '한 판 더',
    deleted: '삭제되었습니다.',
    gone: '이 대국을 찾을 수 없습니다',
    toGames: '대국 목록으로',
  },
  steps: {
    group: '수순',
    first: '처음으로',
    previous: '한 수 뒤로',
    next: '한 수 앞으로',
    last: '끝으로',
    at: (at, of) => `${at} / ${of}`,
  },
  look: {
    title: '기보 보기',
    text: '기보(SGF)를 열어 엔진과 함께 한 수씩 살펴봅니다.',
    drop: 'SGF 파일을 여기에 끌어다 놓거나 고르세요',
    paste: '또는 기보 글을 붙여 넣기',
    openPasted: '열기',
    pasted: '붙여 넣은 기보',
    records: '전에 연 기보',
    unnamed: '이름 없음',
    remove: '삭제',
    removeTitle: '이 기보를 삭제할까요?',
    removeText: 'shido에서만 지워지고, 원래 파일은 남습니다.',
    removed: '기보를 지웠습니다.',
    missing: '이 기보를 찾을 수 없습니다',
    toRecords: '기보 목록으로',
    boardLabel: '바둑판',
    which: '파일 안의 대국',
    comment: '해설',
    variations: '변화도',
    branches: (n) => `변화도 ${n}개가 이어집니다.`,
    warnings: (n) => `파일에 대한 알림 ${n}개`,
    tree: '변화도',
    engine: '엔진',
    analyze: '분석',
    ownership: '집 예상',
    thinking: '생각 중…',
    visitCount: (n) => `탐색 ${n}`,
    candidatesFor: (side) => `${color(side)}의 후보수`,
    letter: '글자',
    showLine: (letter, vertex) => `${letter}: ${vertex} 다음 진행 보기`,
    move: '수',
    lead: '집 차이',
    winRate: '승률',
    visits: '탐색',
    played: '실전',
    graph: '형세 흐름',
    graphOf: (known, all) => (known < all ? `${known} / ${all}` : ''),
    upBlack: '흑 우세',
    downWhite: '백 우세',
  },
  help: {
    title: '키보드',
    letters: '글자 단축키 쓰기',
    coordinates: '판에 좌표 표시',
    groups: [
      {
        title: '바둑판에서',
        keys: [
          key('← ↑ ↓ →', '커서 옮기기(Shift와 함께 세 줄씩)'),
          key('Enter', '두기, 또는 돌 무리의 사활 바꾸기'),
          key('Esc', '커서 숨기기'),
        ],
      },
      {
        title: '대국에서',
        keys: [
          key('P', '한 수 쉼'),
          key('U', '무르기'),
          key('E', '형세 판단'),
          key('R', '기권'),
          key('A', '계가에 동의'),
          key('C', '계가하지 않고 계속 두기'),
          key('[ ]', '한 수 뒤로, 앞으로'),
          key('W', '왜 이 수를? (대국 뒤)'),
        ],
      },
      {
        title: '기보에서',
        keys: [
          key('← →', '한 수 뒤로, 앞으로'),
          key('↑ ↓', '다른 변화도'),
          key('PgUp PgDn', '열 수씩'),
          key('Home End', '처음으로, 끝으로'),
          key('A', '분석 켜기, 끄기'),
          key('O', '집 예상 켜기, 끄기'),
        ],
      },
      {
        title: '어디서나',
        keys: [key('H', '대국으로'), key('L', '기보로'), key('?', '이 키 목록')],
      },
    ],
  },
  errors: {
    stopped:
      'shido가 응답하지 않습니다. 다시 시작하세요. 잃는 것은 없으며 페이지는 저절로 이어집니다.',
    internal: (message) => `문제가 생겼습니다: ${message}`,
    badRecord: (why) => `이 기보를 보여 줄 수 없습니다: ${why}`,
    tooLarge: (megabytes) => `파일이 너무 큽니다. 최대 ${megabytes}MB까지 받습니다.`,
    byCode: {
      not_found: '찾을 수 없습니다(삭제되었을 수 있습니다).',
      illegal_move: '그곳에는 둘 수 없습니다.',
      not_your_turn: '내 차례가 아닙니다.',
      wrong_phase: '지금 단계에서는 할 수 없습니다.',
      stale: '국면이 바뀌어 있었습니다. 이제 최신 상태입니다.',
      too_large: '파일이 너무 큽니다.',
      too_many: '요청이 너무 많습니다. 잠시 기다려 주세요.',
      busy: '엔진이 바쁩니다. 잠시 기다려 주세요.',
      storage: '데이터를 읽거나 쓸 수 없었습니다. 로그 파일을 보세요.',
      storage_full:
        '디스크가 가득 찼습니다. 바뀐 것은 없습니다. 공간을 비우고 다시 하세요.',
      storage_locked: '다른 프로그램이 데이터베이스를 쓰고 있습니다. 닫고 다시 하세요.',
      offline: 'shido가 응답하지 않습니다.',
      no_answer:
        'shido가 제때 응답하지 않았습니다. 창을 많이 열어 두었다면 몇 개 닫고 다시 해 보세요.',
    },
  },
};
