// The page in Japanese.

import { percent, signed, tenths } from '../look/numbers';
import type { Words } from './index';
import { key, type Side } from './words';

const color = (side: Side): string => (side === 'black' ? '黒' : '白');
const move = (text: string) =>
  text === 'pass' ? 'パス' : text === 'resign' ? '投了' : text;

/** Points as counted: 3.5 is 3目半. */
function points(n: number): string {
  const whole = Math.trunc(n);
  if (n === 0.5) return '半目';
  return n - whole === 0.5 ? `${whole}目半` : `${n}目`;
}

function result(text: string): string {
  if (text === '0' || text === '') return '持碁（引き分け）です。';
  const winner = text.startsWith('B') ? '黒' : '白';
  const how = text.slice(2);
  if (how === 'R') return `${winner}の中押し勝ちです。`;
  if (how === 'T') return `${winner}の時間切れ勝ちです。`;
  return `${winner}の${points(Number(how))}勝ちです。`;
}

function lead(n: number): string {
  const rounded = Math.round(Math.abs(n) * 10) / 10;
  if (rounded === 0) return '互角です。';
  return `${color(n > 0 ? 'black' : 'white')}が${points(rounded)}リードしています。`;
}

/** `8k` as 8級, `1d` as 初段. */
function rankName(rank: string): string {
  if (rank === '1d') return '初段';
  return rank.replace(/k$/, '級').replace(/d$/, '段');
}

export const ja: Words = {
  code: 'ja',
  name: '日本語',
  common: { cancel: 'キャンセル', close: '閉じる', loading: '少しお待ちください…' },
  shell: {
    skip: '本文へ',
    pages: 'ページ',
    play: '対局',
    look: '棋譜',
    language: '言語',
    theme: '配色',
    themes: { system: 'システムに合わせる', light: 'ライト', dark: 'ダーク' },
  },
  board: {
    help: '矢印キーでカーソルを動かし、Enterで打ちます。盤の下にD4のように座標を入力することもできます。',
    size: (width, height) => (width === height ? `${width}路盤` : `${width}×${height}路`),
    point: (vertex, sign) =>
      `${vertex}、${sign === 0 ? '空点' : sign > 0 ? '黒石' : '白石'}`,
  },
  play: {
    title: 'あなたに合った一局を',
    text: '碁盤と棋力を選んで対局しましょう。データはこのコンピューターの中だけに保存されます。',
  },
  newGame: {
    title: '新しい対局',
    size: '碁盤',
    color: '手番',
    colors: { black: '黒', white: '白', random: 'ニギリ' },
    partner: '相手',
    level: '棋力',
    levelAuto: '対局の結果に合わせます。勝てば少し強く、負ければ少し弱くなります。',
    levelAutoNow: (rank) => `自動（現在 ${rankName(rank)}）`,
    levelMeaning: (rank, who, fox) =>
      `${rankName(rank)}は${who}の棋力です。KGSの段級位で、野狐ではおよそ${rankName(fox)}にあたります。級は数が小さいほど、段は大きいほど強くなります。`,
    levelGuess: 'この碁盤ではまだ測定していないため、目安です。',
    levelWho: {
      new: '始めたばかりの人',
      basics: '基本を身につけた人',
      regular: 'よく打っている人',
      strong: '碁会所の強豪',
    },
    strength: '強さ',
    playouts: (n) =>
      `一手ごとに約${n.toLocaleString('ja')}局を試し打ちします。段級位を示すものではありません。`,
    evaluations: (n) =>
      `一手ごとに約${n.toLocaleString('ja')}局面を調べます。段級位を示すものではありません。`,
    style: '棋風',
    noStyle: '指定なし',
    morePartners: 'ほかの相手（研究用）',
    noPartner: '対局できる相手がありません。',
    more: 'ルール・置き碁・持ち時間…',
    rules: 'ルール',
    countings: {
      area: '石と囲んだ地を数えます。',
      territory: '囲んだ地とアゲハマを数えます。',
    },
    komi: 'コミ',
    komiHint: (usual) => `後手の白に与えられる目数です。空欄なら${points(usual)}です。`,
    komiBad: '6.5のように、半目（0.5）刻みの数を入力してください。',
    handicap: '置き石',
    handicapHint: '最初に置く黒石の数です。白から打ち始めます。',
    stones: (n) => (n === 0 ? 'なし' : `${n}子`),
    clock: '持ち時間',
    clocks: {
      none: 'なし',
      relaxed: 'ゆっくり',
      normal: '普通',
      fast: '早碁',
      own: '自分で決める',
    },
    clockHints: {
      none: '時間を気にせず打てます。',
      relaxed: '30分、切れたら60秒の秒読み3回。',
      normal: '10分、切れたら30秒の秒読み3回。',
      fast: '1分、切れたら10秒の秒読み5回。',
      own: '秒読み：一手で使い切ったときだけ1回減ります。',
    },
    mainMinutes: '持ち時間（分）',
    periodSeconds: '秒読み（秒）',
    periods: '秒読みの回数',
    name: 'お名前',
    nameHint: '棋譜に残ります。空でもかまいません。',
    quick: '相手は間をおかず、すぐに打つ',
    start: '対局開始',
    starting: '準備中…',
  },
  list: {
    title: 'あなたの対局',
    phases: { playing: '対局中', scoring: '整地待ち' },
    facts: (size, side, moves) => `${size}路 · あなたは${color(side)} · ${moves}手`,
    all: (n) => `${n}局すべてを表示`,
    remove: '削除',
    removeTitle: 'この対局を削除しますか？',
    removeText: 'このコンピューターから完全に消えます。',
    removed: '対局を削除しました。',
  },
  names: {
    rules: {
      japanese: '日本ルール',
      chinese: '中国ルール',
      korean: '韓国ルール',
      aga: 'AGAルール',
      ing: '応昌期（計点制）ルール',
      'new-zealand': 'ニュージーランドルール',
      'tromp-taylor': 'Tromp–Taylorルール',
    },
    rank: rankName,
    partners: {
      classic: 'クラシックエンジン',
      native: 'ニューラルネット',
      natural: '自然',
      human: '人間らしい',
      gentle: 'おだやか',
      'gentle-a': 'おだやか（簡易）',
      halving: '半減探索',
      roles: '二つの役割',
      softmax: 'ソフトマックス',
      naive: '互角狙い',
    },
    partnerTexts: {
      classic: '木探索で最善と見た手を打ちます。考える量はあなたが決めます。',
      native: 'ニューラルネットで最善と見た手を打ちます。考える量はあなたが決めます。',
      natural: '自然な手で、接戦になるように打ちます。',
      human: 'その棋力の人のように打ちます。間違いもします。',
      gentle: '手堅く打ち、優勢なときはそっとゆるめます。',
      'gentle-a': '「おだやか」の最初の手法だけを使います。',
      halving: '「自然」に似ていますが、ゆるめ方の基準がより厳密です。',
      roles: '「半減探索」を一度の探索だけで行います。',
      softmax: 'よく読んだ手の中から抽選で選びます。',
      naive: 'いつも勝率が五分に最も近くなる手を打ちます。',
    },
    strengths: {
      light: '軽め',
      easy: 'やさしい',
      medium: '普通',
      serious: '本気',
      deep: '長考',
    },
    styles: {
      center: '中央重視',
      edge: '辺重視',
      aggressive: '攻撃的',
      defensive: '守備的',
      optimistic: '楽観的',
      pessimistic: '悲観的',
    },
  },
  game: {
    title: (black, white) => `黒 ${black} 対 白 ${white}`,
    boardLabel: '碁盤',
    you: 'あなた',
    colorName: color,
    move,
    moveNumber: (n, side, vertex) => `${n}手目、${color(side)} ${move(vertex)}。`,
    played: (side, vertex) => `${color(side)} ${move(vertex)}。`,
    captured: (side, n) => `${color(side)}が${n}子を取りました。`,
    takenBack: '待ったをしました。',
    yourTurn: (side) => `あなたの番です（${color(side)}）。`,
    partnersTurn: '相手の番です。',
    thinking: '相手が考えています…',
    failed: (why) => `相手が続けられません：${why}`,
    taken: (n) => `アゲハマ ${n}`,
    komi: (n) => `コミ ${points(n)}`,
    handicap: (n) => `${n}子局`,
    periodsLeft: (n) => `残り${n}回`,
    stonesLeft: (n) => `残り${n}手`,
    pass: 'パス',
    undo: '待った',
    estimate: '形勢判断',
    hideEstimate: '判断を隠す',
    estimating: '形勢を調べています…',
    resign: '投了',
    resignTitle: '投了しますか？',
    resignText: '対局は終わり、相手の勝ちになります。',
    confirm: (vertex) => `${vertex}に打つ`,
    typed: '座標',
    playTyped: '打つ',
    notAMove: (text) =>
      `「${text}」はこの盤の座標ではありません。D4のように文字と数字、またはpassと入力してください。`,
    occupied: (vertex) => `${vertex}にはもう石があります。`,
    ko: (vertex) => `コウです。${vertex}はすぐには取り返せません。`,
    forbidden: (vertex) =>
      `${vertex}は着手禁止点です（呼吸点がないか、同形反復になります）。`,
    lead,
    winRate: (black) => `黒の勝率 ${percent(black)}`,
    moves: (n) => `手順（${n}）`,
    backToGame: '対局に戻る',
    shownMove: (n, of) => (n === 0 ? '開始局面です。' : `${of}手中の${n}手目です。`),
    backAgain: '現在の局面です。',
    scoring: '両者がパスしました。死に石を確かめてください。',
    scoringTitle: '整地',
    counting: '死に石を調べています…',
    scoreNow: (score) => `計算：${result(score)}`,
    deadHelp: '×の付いた石は死に石です。石を選ぶと、その一団の生死が入れ替わります。',
    agree: '同意する',
    playOn: '続けて打つ',
    countTerritory: '地',
    countStones: '生きている石',
    countPrisoners: 'アゲハマ',
    countKomi: 'コミ',
    countSum: '合計',
    outcomes: { won: 'あなたの勝ち', lost: 'あなたの負け', drawn: '持碁' },
    ended: (text, how) =>
      `終局です。${result(text)}${how === 'won' ? 'お見事でした！' : ''}`,
    resultText: result,
    why: 'なぜこの手？',
    whyHint: '相手の手まで進めると、その理由を見られます。',
    whyTitle: (n, side, vertex) => `${n}手目 ${color(side)} ${move(vertex)}`,
    reasons: {
      search: '検討した手の中で、最もよく読んだ手です。',
      partner: '相手自身の決め方で選びました。',
      opponent_passed: 'あなたがパスし、数えると勝ちだったからです。',
      settled: 'すべて決着していて、得になる手がありませんでした。',
      no_move: '打つべき手が残っていませんでした。',
      cleanup: '数える前に、死に石を打ち上げておく必要がありました。',
      hopeless: '負けと判断しました。',
    },
    believed: (winRate, n, visits) =>
      `自分の勝率を${percent(winRate)}、目数差を${signed(n)}と見ていました（探索${visits.toLocaleString('ja')}回）。`,
    rules: {
      'best-move': '見つけた中で最も強い手を打ちました。',
      'human-draw': 'この棋力の人が打ちそうな手を打ちました。',
      'visits-draw': 'よく読んだ手の中から、抽選で選びました。',
      'roles-score': '接戦になるような、自然な手を探しました。',
      'halving-score': '接戦になるような、自然な手を探しました。',
      'natural-score': '接戦になるような、自然な手を探しました。',
      'nearest-even': '勝率が五分に最も近くなる手を打ちました。',
      'clear-best': '一手だけ、ほかよりずっと良い手がありました。',
      behind: '形勢が悪かったので、見つけた中で最善の手を打ちました。',
      'most-natural': '形勢が互角だったので、良い手の中で最も自然な手を打ちました。',
      'give-way': '優勢だったので、自然な手で少しゆるめました。',
      'endgame-obvious': 'この段階では、だれでもここに打つところです。',
      'endgame-preference': '細かい碁になるような、自然なヨセを選びました。',
      'only-move': 'まともな手は一つしかありませんでした。',
      'no-move': 'もう打つところがありませんでした。',
    },
    notes: {
      'opening-eased': '布石のうちは、ゆるめ方を控えめにします。',
      'handicap-eased': '置き石の分は、あわてずに追いかけます。',
      'ladder-answered': 'シチョウに応じる必要がありました。',
      'extra-simulations': '最初に考えた手が悪かったので、考え直しました。',
      'simulations-raised': '念のため、少し長く考えました。',
      'drawn-by-score':
        '残った候補の中から、評価の高い手ほど当たりやすい抽選で選びました。',
      'endgame-started': 'ここからヨセに入ったと見ました。',
      'concern-overlooked': 'ぴったりの手がない局面でした。',
    },
    setAside: {
      'few-visits': '読みが足りない',
      'loses-too-much': '損が大きすぎる',
      unnatural: 'だれも打たない',
      'fails-conditions': '条件に合わない',
      'own-eye': '自分の眼をつぶす',
      'self-atari': '自分からアタリになる',
      settled: '決着した場所',
      'early-pass': 'パスには早い',
      'ignores-ladder': 'シチョウを放置する',
      'not-promising': '最後の候補に残らず',
    },
    target: (wanted, given) =>
      `${tenths(wanted)}目ほどゆるめるつもりで、この手で${tenths(given)}目ゆるめました。`,
    knew: (ahead, simulations) =>
      `最善手なら目数差は${signed(ahead)}と見ていました（探索${simulations.toLocaleString('ja')}回）。`,
    betweenSentences: '',
    considered: '検討した手',
    loss: '損',
    natural: '自然さ',
    autoLevel: (rank) => `自動の棋力は${rankName(rank)}になりました。`,
    lookAt: '棋譜で見る',
    save: 'SGFを保存',
    copy: 'SGFをコピー',
    copied: '棋譜をクリップボードにコピーしました。',
    notCopied: 'ブラウザーがコピーを許可しませんでした。ファイルに保存してください。',
    again: 'もう一局',
    deleted: '削除されました。',
    gone: 'この対局は見つかりません',
    toGames: '対局の一覧へ',
  },
  steps: {
    group: '手順',
    first: '最初へ',
    previous: '一手戻る',
    next: '一手進む',
    last: '最後へ',
    at: (at, of) => `${at} / ${of}`,
  },
  look: {
    title: '棋譜を見る',
    text: '棋譜（SGF）を開き、エンジンといっしょに並べます。',
    drop: 'ここにSGFファイルをドロップ、または選択',
    paste: 'または棋譜のテキストを貼り付け',
    openPasted: '開く',
    pasted: '貼り付け',
    records: '前に開いた棋譜',
    unnamed: '名前なし',
    remove: '削除',
    removeTitle: 'この棋譜を削除しますか？',
    removeText: 'shidoからだけ消えます。元のファイルは残ります。',
    removed: '棋譜を削除しました。',
    missing: 'この棋譜は見つかりません',
    toRecords: '棋譜の一覧へ',
    boardLabel: '碁盤',
    which: 'ファイル内の対局',
    comment: 'コメント',
    variations: '変化図',
    branches: (n) => `ここから${n}通りの変化があります。`,
    warnings: (n) => `ファイルについての注意 ${n}件`,
    tree: '変化図',
    engine: 'エンジン',
    analyze: '検討',
    ownership: '地の予想',
    thinking: '考え中…',
    visitCount: (n) => `探索 ${n}`,
    candidatesFor: (side) => `${color(side)}の候補手`,
    letter: '記号',
    showLine: (letter, vertex) => `${letter}：${vertex}からの進行を見る`,
    move: '手',
    lead: '目数差',
    winRate: '勝率',
    visits: '探索',
    played: '実戦',
    graph: '形勢の推移',
    graphOf: (known, all) => (known < all ? `${known} / ${all}` : ''),
    upBlack: '黒リード',
    downWhite: '白リード',
  },
  help: {
    title: 'キー操作',
    letters: '文字キーのショートカットを使う',
    coordinates: '盤に座標を表示する',
    groups: [
      {
        title: '碁盤',
        keys: [
          key('← ↑ ↓ →', 'カーソルを動かす（Shiftで3路ずつ）'),
          key('Enter', 'そこに打つ・石の生死を変える'),
          key('Esc', 'カーソルを消す'),
        ],
      },
      {
        title: '対局中',
        keys: [
          key('P', 'パス'),
          key('U', '待った'),
          key('E', '形勢判断'),
          key('R', '投了'),
          key('A', '計算に同意する'),
          key('C', '数えずに続けて打つ'),
          key('[ ]', '一手戻る・進む'),
          key('W', 'なぜこの手？（終局後）'),
        ],
      },
      {
        title: '棋譜',
        keys: [
          key('← →', '一手戻る・進む'),
          key('↑ ↓', '別の変化図へ'),
          key('PgUp PgDn', '10手ずつ'),
          key('Home End', '最初へ・最後へ'),
          key('A', '検討のオン・オフ'),
          key('O', '地の予想のオン・オフ'),
        ],
      },
      {
        title: 'どこでも',
        keys: [key('H', '対局へ'), key('L', '棋譜へ'), key('?', 'このキー一覧')],
      },
    ],
  },
  errors: {
    stopped:
      'shidoが応答しません。もう一度起動してください。何も失われず、このページは自動で続きます。',
    internal: (message) => `問題が起きました：${message}`,
    badRecord: (why) => `この棋譜は表示できません：${why}`,
    tooLarge: (megabytes) => `ファイルが大きすぎます。上限は${megabytes} MBです。`,
    byCode: {
      not_found: '見つかりません（削除されたかもしれません）。',
      illegal_move: 'そこには打てません。',
      not_your_turn: 'あなたの番ではありません。',
      wrong_phase: 'この段階ではできません。',
      stale: '局面が進んでいました。最新の状態にしました。',
      too_large: 'ファイルが大きすぎます。',
      too_many: 'リクエストが多すぎます。少しお待ちください。',
      busy: 'エンジンが使用中です。少しお待ちください。',
      storage: 'データを読み書きできませんでした。詳しくはログファイルをご覧ください。',
      storage_full:
        'ディスクがいっぱいです。何も変わっていません。空きを作ってからやり直してください。',
      storage_locked:
        '別のプログラムがデータベースを使っています。閉じてからやり直してください。',
      offline: 'shidoが応答しません。',
      no_answer:
        'shidoの応答が時間内にありませんでした。ウィンドウをたくさん開いている場合はいくつか閉じて、もう一度お試しください。',
    },
  },
};
