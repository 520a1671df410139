// The functions of d3-array that charts use. d3-scale would add its interpolators, colours and formats to the first load.
declare module 'd3-array' {
  /** The range of nice values that includes both, for about `count` ticks. */
  export function nice(start: number, stop: number, count: number): [number, number];
  /** About `count` nice values in the range. */
  export function ticks(start: number, stop: number, count: number): number[];
}
