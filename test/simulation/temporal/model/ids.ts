import type { Draw } from '../../time/draw.js';

const HEX = 16;

/** An id that looks like a UUID of version 4. */
export function drawId(draw: Draw): string {
  const hex = (length: number): string => {
    let text = '';
    while (text.length < length) {
      text += Math.floor(draw.fraction() * 0x1_0000)
        .toString(HEX)
        .padStart(4, '0');
    }
    return text.slice(0, length);
  };
  const variant = draw.pick(['8', '9', 'a', 'b']);
  return `${hex(8)}-${hex(4)}-4${hex(3)}-${variant}${hex(3)}-${hex(12)}`;
}
