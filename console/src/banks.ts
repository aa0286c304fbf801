/** The banks that accept transfers by VietQR, by their BIN at NAPAS. */
export const BANKS: Record<string, string> = {
  970436: 'Vietcombank',
  970415: 'VietinBank',
  970418: 'BIDV',
  970405: 'Agribank',
  970407: 'Techcombank',
  970422: 'MB',
  970416: 'ACB',
  970432: 'VPBank',
  970423: 'TPBank',
  970403: 'Sacombank',
  970437: 'HDBank',
  970441: 'VIB',
  970443: 'SHB',
  970431: 'Eximbank',
  970426: 'MSB',
  970448: 'OCB',
  970440: 'SeABank',
  970449: 'LPBank',
  970428: 'Nam A Bank',
  970409: 'Bac A Bank',
  970425: 'ABBANK',
  970412: 'PVcomBank',
  970427: 'VietABank',
  970419: 'NCB',
  970429: 'SCB',
  970400: 'Saigonbank',
  970438: 'BAOVIET Bank',
  970452: 'KienlongBank',
  970433: 'VietBank',
  970430: 'PGBank',
  970424: 'Shinhan Bank',
}

export function bankName(bin: string): string {
  return BANKS[bin] ?? bin
}
