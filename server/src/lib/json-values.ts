/** Estimates the number of values in a JSON text by counting the separators outside strings, without parsing it. */
export function countValues(json: Buffer): number {
  let count = 0
  for (let at = 0; at < json.length; at++) {
    const byte = json[at]
    if (byte === QUOTE) at = endOfText(json, at)
    else if (byte === COMMA || byte === BRACE || byte === BRACKET) count += 1
  }
  return count
}

const [QUOTE, COMMA, BRACE, BRACKET, BACKSLASH] = [...Buffer.from('",{[\\')] as [
  number,
  number,
  number,
  number,
  number,
]

/**
 * The index of the closing quote of the string that begins at `start`. A quote after a backslash closes the string only
 * if that backslash is itself escaped.
 */
function endOfText(json: Buffer, start: number): number {
  let end = json.indexOf(QUOTE, start + 1)
  while (end !== -1) {
    let backslashes = 0
    while (json[end - 1 - backslashes] === BACKSLASH) backslashes += 1
    if (backslashes % 2 === 0) return end
    end = json.indexOf(QUOTE, end + 1)
  }
  return json.length
}
