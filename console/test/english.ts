/** Words that occur on no Vietnamese screen except in a name, and that are not Vietnamese without its marks either. */
const WORDS = new Set(
  `about above access account accounts action active after again all allowed already always and any apply are array
  before begin below between boolean but button cancel cancelled cannot change changed changes check choose clear click close closed
  code color colour column conflict confirm contains continue copy could create created customer customers date day default delete
  deleted description details did disabled discount does done download draft edit empty enabled error every exceeded exist exists
  expired failed fail false fetch field fields file fill filter finished first for forbidden format found from gateway
  group has have header hide image images input internal invalid is item items key last left length less limit line list
  load loading login longer match maximum message messages minimum minute missing month more most must name network new next none not
  nothing null number object off offline open option options order orders other out owner page password paste payment pending
  phone please position press previous price product products quantity rate reached read ready received refused reject rejected
  remove removed request requests required reset response retry return role same save saved search seconds select selected send
  sending sent server service should show shown since some start started status stock stop string submit success than that the
  their then there these this timeout times today toggle total true type unable unauthorized undefined unexpected unknown until
  update updated upload use used user valid value values view visibility wait warehouse was week were what when which while will with without
  wrong year yes you your`.split(/\s+/),
)

/** Terms that the platform itself uses. */
const TERMS = /Access token|Official Account/g

/** The English words in a text. Addresses, codes of events and placeholders in angle brackets do not count. */
export function englishIn(text: string): string[] {
  const words = text
    .replace(TERMS, ' ')
    .replace(/https?:\/\/\S+|\S+@\S+|<\w+>|\b\w+[._:]\w[\w.:]*/g, ' ')
    .toLowerCase()
    .match(/(?<![\p{L}\p{N}-])\p{L}+(?![\p{L}\p{N}-])/gu)
  return [...new Set(words ?? [])].filter((word) => WORDS.has(word))
}
