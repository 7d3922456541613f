/** Palettes and patterns for covers, on a canvas of 100 by 100. */
import type { ReactNode } from 'react';

/** The background, the text color, and three colors for the pattern. */
type Palette = readonly [ground: string, ink: string, ...figures: [string, string, string]];

export const palettes: readonly [Palette, ...Palette[]] = [
  ['#14315c', '#fff7ea', '#e2b65a', '#c8553d', '#3f6aa6'],
  ['#1f4d43', '#f7f2e2', '#8fc1a3', '#f2c57c', '#d9694a'],
  ['#4a2545', '#fdeee6', '#e08e9c', '#f6c28b', '#8b4272'],
  ['#f2e3c6', '#2b2a33', '#d1495b', '#2e4057', '#edae49'],
  ['#0d5d70', '#f8fbf6', '#f6d55c', '#ed6a4a', '#3b95a5'],
  ['#dfe7ee', '#1c2b40', '#3d5a80', '#ee6c4d', '#98c1d9'],
  ['#2b2d42', '#ffffff', '#ef8354', '#8d99ae', '#4f5d75'],
  ['#f7d9c4', '#3a1f1a', '#9d4b3e', '#274c4b', '#e6a57e'],
  ['#e9ead8', '#23321f', '#6a8d4f', '#33573f', '#e0b04a'],
  ['#7c2d2a', '#fff1e0', '#e9a33b', '#d8613c', '#a84a3e'],
];

type Pattern = (random: () => number, colors: readonly string[]) => ReactNode;

const whole = (random: () => number, below: number) => Math.floor(random() * below);
const colorOf = (random: () => number, colors: readonly string[]) => colors[whole(random, colors.length)];
const indices = (count: number) => Array.from({ length: count }, (_, index) => index);

/** Tiles, each with a quarter of a disc in one of its corners. */
const quarters: Pattern = (random, colors) => {
  const size = random() < 0.5 ? 25 : 100 / 3;
  const side = Math.round(100 / size);
  return indices(side * side).map((index) => {
    const turn = whole(random, 5) * 90;
    const fill = colorOf(random, colors);
    if (turn === 360) return null;
    const [x, y] = [(index % side) * size, Math.floor(index / side) * size];
    return (
      <path
        key={index}
        d={`M0 0H${size}A${size} ${size} 0 0 1 0 ${size}Z`}
        fill={fill}
        stroke={fill}
        strokeWidth={0.2} // otherwise the background would show between tiles
        transform={`translate(${x} ${y}) rotate(${turn} ${size / 2} ${size / 2})`}
      />
    );
  });
};

/** A sun above waves. */
const sun: Pattern = (random, colors) => {
  const [x, y, radius] = [30 + whole(random, 40), 34 + whole(random, 14), 16 + whole(random, 12)];
  const [disc, ...seas] = colors;
  return (
    <>
      <circle cx={x} cy={y} r={radius} fill={disc} />
      {indices(6).map((wave) => {
        const top = 52 + wave * 9;
        const bend = 3 + random() * 5;
        const path = `M-5 ${top}Q20 ${top - bend} 50 ${top}T105 ${top}V120H-5Z`;
        return <path key={wave} d={path} fill={seas[wave % seas.length]} opacity={0.55 + wave * 0.09} />;
      })}
    </>
  );
};

/** Rings around a point at the edge. */
const rings: Pattern = (random, colors) => {
  const [x, y] = [whole(random, 2) * 100, 15 + whole(random, 70)];
  const step = 9 + whole(random, 5);
  return indices(9)
    .reverse()
    .map((ring) =>
      ring % 2 === 0 ? (
        <circle key={ring} cx={x} cy={y} r={(ring + 1) * step} fill={colors[(ring / 2) % 3]} />
      ) : (
        <circle key={ring} cx={x} cy={y} r={(ring + 1) * step} fill="var(--ground)" />
      ),
    );
};

/** Bars of different heights. */
const bars: Pattern = (random, colors) => {
  const width = 100 / (6 + whole(random, 4));
  return indices(Math.ceil(100 / width)).map((bar) => {
    const height = 18 + random() * 66;
    return (
      <rect
        key={bar}
        x={bar * width + width * 0.12}
        y={100 - height}
        width={width * 0.76}
        height={height + 10}
        rx={width * 0.38}
        fill={colorOf(random, colors)}
      />
    );
  });
};

/** The scale of a sextant: an arc with its marks, and arms. */
const sextant: Pattern = (random, colors) => {
  const [scale, arm, arc] = colors;
  const lean = -24 + random() * 48;
  return (
    <g transform="translate(50 18) scale(0.72)" fill="none" strokeLinecap="round">
      <path d="M-40 62A74 74 0 0 0 40 62L0 0Z" stroke={arc} strokeWidth="7" strokeLinejoin="round" />
      {indices(17).map((mark) => (
        <path key={mark} d="M0 60V67" stroke={scale} strokeWidth="1.6" transform={`rotate(${-32 + mark * 4})`} />
      ))}
      <path d="M0 0V78" stroke={arm} strokeWidth="4.5" transform={`rotate(${lean})`} />
      <circle r="7" fill={arm} stroke="none" />
      <circle cx="0" cy="78" r="4" fill={scale} stroke="none" transform={`rotate(${lean})`} />
    </g>
  );
};

/** Dots that grow toward one side. */
const dots: Pattern = (random, colors) => {
  const falling = random() < 0.5;
  const color = colorOf(random, colors);
  const other = colorOf(random, colors);
  return indices(64).map((index) => {
    const [column, row] = [index % 8, Math.floor(index / 8)];
    const share = (falling ? row : 7 - row) / 7;
    return (
      <circle
        key={index}
        cx={6.25 + column * 12.5}
        cy={6.25 + row * 12.5}
        r={1 + share * 4.6}
        fill={(column + row) % 3 === 0 ? other : color}
      />
    );
  });
};

/** Hills behind hills. */
const hills: Pattern = (random, colors) => (
  <>
    <circle cx={20 + whole(random, 60)} cy={26} r={9} fill={colors[0]} />
    {indices(4).map((hill) => {
      const [left, peak, right] = [45 + hill * 13 + random() * 10, 34 + hill * 14 + random() * 12, 48 + hill * 13];
      const x = 15 + random() * 70;
      const path = `M-5 ${left}Q${x} ${peak - 20} 105 ${right}V120H-5Z`;
      return <path key={hill} d={path} fill={colors[(hill + 1) % 3]} opacity={0.6 + hill * 0.13} />;
    })}
  </>
);

export const patterns: readonly [Pattern, ...Pattern[]] = [quarters, sun, rings, bars, sextant, dots, hills];
