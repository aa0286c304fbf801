import { catalogue } from '../texts/catalogue.ts'

export const passwordTexts = catalogue(
  {
    title: 'Đổi mật khẩu',
    hint: 'Các máy khác đang đăng nhập bằng tài khoản này sẽ phải đăng nhập lại.',
    current: 'Mật khẩu hiện tại',
    wrong: 'Mật khẩu hiện tại không đúng.',
    changed: 'Đã đổi mật khẩu',
  },
  {
    title: 'Change password',
    hint: 'Other devices that are signed in to this account must sign in again.',
    current: 'Current password',
    wrong: 'The current password is wrong.',
    changed: 'Password changed',
  },
)
