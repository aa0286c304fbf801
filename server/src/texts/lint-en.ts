import type { Limit, Part, ReviewHint, Rule, ShapeRule } from './keys.ts'

/** The texts of lint and publish (G-15). */
export type LintTexts = {
  /** `says` continues the field's name, in English in Joi's style (G-03); `fix` is a sentence that says what to do. */
  rule: Record<Rule, { says: string; fix: string }>
  shape: Record<ShapeRule, string>
  /** Descriptions of sent values that are too long to repeat. */
  sent: Record<'list' | 'object', string>
  limit: Record<Limit, string>
  /** What reviewers usually refuse, and what to do instead. */
  hint: Record<ReviewHint, string>
  /** The part of a template that has a wrong length or uses parameters. */
  part: Record<Part, string>
}

export const lintEn: LintTexts = {
  rule: {
    content: {
      says: 'is required',
      fix: 'Add {type} with the content of the {type}, or set templateType to "custom".',
    },
    contentSize: {
      says: 'must contain at most {most} characters in total',
      fix: 'Shorten the texts, or remove blocks.',
    },
    officialAccount: {
      says: 'must be an official account linked to this shop',
      fix: 'Link the account to the shop, or use one that is linked.',
    },
    shownBlock: {
      says: 'must contain a {type} block with the same content as "{type}"',
      fix: 'Add a block of type "{type}" whose {type} is the same as the template’s.',
    },
    buttonPhone: {
      says: 'is required for a button of type {type}',
      fix: 'Enter the phone number to call.',
    },
    buttonAddress: {
      says: 'is required for a button of type {type}',
      fix: 'Enter the address to open.',
    },
    techSetting: {
      says: 'is required',
      fix: 'Set the data type of <{key}>, "1" to "15".',
    },
    images: {
      says: 'must contain at least 1 image when imageType is image',
      fix: 'Add the address of an image, or set imageType to "logo".',
    },
    logoLight: {
      says: 'is required when imageType is logo',
      fix: 'Add the address of the logo for a light background.',
    },
    logoDark: {
      says: 'is required when imageType is logo',
      fix: 'Add the address of the logo for a dark background.',
    },
    address: {
      says: 'must be a valid uri',
      fix: 'Enter the full address, starting with https:// or http://.',
    },
    blockId: { says: 'must be a valid GUID', fix: 'Give each block its own UUID.' },
    blockIdTwice: { says: 'duplicates another block’s id', fix: 'Give each block its own UUID.' },
    blockContent: {
      says: 'is required',
      fix: 'Add {field}: a block of type "{type}" needs it.',
    },
    voucherDate: {
      says: 'must be a date as dd/mm/yyyy, hh:mm dd/mm/yyyy, hh:mm:ss dd/mm/yyyy or ISO 8601, or one <param>',
      fix: 'Use a date such as 31/12/2030, or one param such as <expiry>.',
    },
    voucherDates: { says: 'must not be before startDate', fix: 'Set expiryDate to startDate or later.' },
    starTwice: { says: 'duplicates another item’s star', fix: 'Keep one item for each star, 1 to 5.' },
    paramKey: {
      says: 'must contain only letters, digits and underscores',
      fix: 'Write the name without angle brackets or spaces, such as order_code.',
    },
    paramKeyTwice: { says: 'duplicates another param’s key', fix: 'Rename or remove one of the two.' },
    maxLength: {
      says: 'must be {maxLength} for techSetting {techSetting}',
      fix: 'Omit maxLength: techSetting determines it.',
    },
    undeclaredParam: {
      says: 'uses <{key}>, which params does not declare',
      fix: 'Declare {key} in params, or correct its spelling.',
    },
    noSystemParam: {
      says: 'uses <{key}>, which is not a system parameter',
      fix: 'Use a system parameter, or set isCustomParams to true and declare it in params.',
    },
    olderForm: {
      says: 'is required',
      fix: 'This template uses the older format: duplicate it, or update it with contentBlocks.',
    },
  },
  shape: {
    oneOf: 'The value must be one of {all}, not {sent}.',
    boolean: 'The value must be true or false, not {sent}.',
    text: 'The value must be text, not {sent}.',
    empty: 'Fill in this field, or omit it if it is optional.',
    tooLong: 'Shorten this to at most {most} characters; it has {count}.',
    marks: 'Remove combining marks from this text: there may be at most {most} in a row.',
    unstorable: 'Remove the NUL characters and broken surrogate pairs from this text.',
    integer: 'The value must be a whole number, not {sent}.',
    range: 'The value must be a whole number from {least} to {most}, not {sent}.',
    list: 'The value must be a list, not {sent}.',
    tooFew: 'Add entries: at least {least} are required.',
    tooMany: 'Keep at most {most} entries; there are {count}.',
    object: 'The value must be an object, not {sent}.',
    'missing string': 'Add this required field (text).',
    'missing integer': 'Add this required field (whole number).',
    'missing boolean': 'Add this required field (true or false).',
    'missing array': 'Add this required field (list, may be empty).',
    'missing object': 'Add this required field (object).',
    unknown: 'Remove this unknown field. Known fields: {known}.',
  },
  sent: { list: 'a list', object: 'an object' },
  limit: {
    tooShort: '{part} has {length} characters; lengthen it to between {min} and {max}.',
    tooLong: '{part} has {length} characters; shorten it to between {min} and {max}.',
    noParams: '{part} cannot use parameters; write fixed text.',
    titleParams: 'The title uses {count} parameters; the platform allows at most 4.',
    ratingTag: 'A rating template needs the content level “Customer care”; set the tag to "2".',
    ratingImages: 'A rating template cannot show images; use logos instead.',
    images: 'Use 1 to 3 images; there are {count}.',
    imagesButton: 'A template with images needs at least one button.',
    paragraphs: 'Write 1 to 4 paragraphs; there are {count}.',
    paragraphParams: 'The paragraphs use {count} parameters in total; the platform allows at most 10.',
    tables: 'The platform allows one table; move these rows into the first one.',
    rows: 'A table has 2 to 8 rows; this one has {count}.',
    rowParams: 'The row’s text uses {count} parameters; use at most one per row.',
    ratingItems: 'The platform requires exactly 5 items, one for each star; there are {count}.',
    answers: 'Use at most 5 answers; there are {count}.',
    buttons: 'The platform allows at most 2 buttons; there are {count}.',
    note: 'Add a note of 1 to 400 characters that tells the reviewers what the template is for.',
  },
  hint: {
    link: 'The text contains the link {link}; reviewers reject links in text. Use a button instead.',
    advertising:
      'The text contains “{word}”, which reviewers regard as advertising; a template with the content level “Transaction” (tag 1) must not advertise. Reword it, or choose another content level.',
    otpType: '<{key}> is named like a one-time password; choose the data type OTP.',
    phoneType: '<{key}> is named like a phone number; choose the data type of phone numbers.',
    moneyType: '<{key}> is named like an amount; choose the data type of amounts.',
    linkType: '<{key}> is named like a link; choose the data type of page addresses.',
    brokenPlace:
      '“{place}” is not the place of a param, so customers will read it as it stands. A param is written between < and >, in letters, digits and underscores only, such as <customer_name>.',
    otpTag:
      'A message with a one-time password is a transaction; choose the content level “Transaction” (tag 1).',
  },
  part: {
    name: 'The name',
    title: 'The title',
    paragraph: 'The paragraph',
    rowLabel: 'The row’s label',
    rowText: 'The row’s text',
    voucherTitle: 'The voucher’s title',
    voucherCondition: 'The voucher’s condition',
    voucherCode: 'The voucher’s code',
    starTitle: 'The star’s title',
    question: 'The question',
    answer: 'The answer',
    thanks: 'The thank-you text',
    description: 'The description',
    buttonLabel: 'The button’s label',
    note: 'The note',
  },
}
