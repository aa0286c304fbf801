const TONES = { found: [1_320, 80], unknown: [220, 280] } as const

let audio: AudioContext | undefined

/** A sound and a short vibration, so that nobody has to look at the screen after each scan. */
export function signal(what: keyof typeof TONES): void {
  const [hertz, ms] = TONES[what]
  navigator.vibrate?.(ms)
  try {
    audio ??= new AudioContext()
    const tone = new OscillatorNode(audio, { frequency: hertz })
    const volume = new GainNode(audio, { gain: 0.1 })
    tone.connect(volume).connect(audio.destination)
    tone.start()
    tone.stop(audio.currentTime + ms / 1_000)
  } catch {
    // The device has no sound.
  }
}
