// Numbers as players read them.

/** Returns points with their sign: `+3.5`, `−0.5`, `0`. */
export function signed(points: number): string {
  const rounded = Math.round(points * 10) / 10;
  if (rounded === 0) return '0';
  return `${rounded > 0 ? '+' : '−'}${Math.abs(rounded)}`;
}

/** Returns a share from 0 to 1 as whole percent. */
export function percent(share: number): string {
  return `${Math.round(share * 100)} %`;
}

/** Returns a count in few letters: `950`, `1.2k`, `34k`. */
export function brief(count: number): string {
  if (count < 1000) return String(count);
  return count < 10_000
    ? `${(count / 1000).toFixed(1)}k`
    : `${Math.round(count / 1000)}k`;
}
