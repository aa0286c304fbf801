import type { Limit, Part, Rule, ShapeRule } from './keys.ts'

/** What lint and publish say of a template (G-15). */
export type LintTexts = {
  /** `says` continues the field's name, in English in Joi's manner (G-03); `mend` is a sentence that tells what to do. */
  rule: Record<Rule, { says: string; mend: string }>
  shape: Record<ShapeRule, string>
  /** What was sent, where it is too long to be repeated. */
  sent: Record<'list' | 'object', string>
  limit: Record<Limit, string>
  /** The part of a template that has a wrong length or uses parameters. */
  part: Record<Part, string>
}

export const lintEn: LintTexts = {
  rule: {
    content: {
      says: 'is required',
      mend: 'Add {type} with the content of the {type}, or set templateType to "custom".',
    },
    contentSize: {
      says: 'must hold at most {most} characters in all',
      mend: 'Shorten the texts, or take blocks out.',
    },
    officialAccount: {
      says: 'must be an official account linked to this shop',
      mend: 'Link the account to the shop, or name one that is linked.',
    },
    shownBlock: {
      says: 'must contain a {type} block with the same content as "{type}"',
      mend: 'Add a block of type "{type}" whose {type} repeats the template’s.',
    },
    buttonPhone: {
      says: 'is required for a button of type {type}',
      mend: 'Give the phone number that it calls.',
    },
    buttonAddress: {
      says: 'is required for a button of type {type}',
      mend: 'Give the address that it opens.',
    },
    techSetting: {
      says: 'is required',
      mend: 'Give the kind of value that <{key}> takes, "1" to "15".',
    },
    images: {
      says: 'must contain at least 1 image when imageType is image',
      mend: 'Add the address of an image, or set imageType to "logo".',
    },
    logoLight: {
      says: 'is required when imageType is logo',
      mend: 'Add the address of the logo for a light background.',
    },
    logoDark: {
      says: 'is required when imageType is logo',
      mend: 'Add the address of the logo for a dark background.',
    },
    address: {
      says: 'must be a valid uri',
      mend: 'Write the whole address, beginning with https:// or http://.',
    },
    blockId: { says: 'must be a valid GUID', mend: 'Give each block a UUID of its own.' },
    blockIdTwice: { says: 'is the id of another block too', mend: 'Give each block a UUID of its own.' },
    blockContent: {
      says: 'is required',
      mend: 'Add {field}, which carries a block of type "{type}".',
    },
    voucherDate: {
      says: 'must be a date as dd/mm/yyyy, hh:mm dd/mm/yyyy, hh:mm:ss dd/mm/yyyy or ISO 8601, or one <param>',
      mend: 'Write for instance 31/12/2030, or the name of one param such as <expiry>.',
    },
    voucherDates: { says: 'must not be before startDate', mend: 'Move expiryDate behind startDate.' },
    starTwice: { says: 'is the star of another item too', mend: 'Keep one item for each star, 1 to 5.' },
    paramKey: {
      says: 'must hold letters, digits and underscores only',
      mend: 'Write the name without angle brackets and spaces, such as order_code.',
    },
    paramKeyTwice: { says: 'is the key of another param too', mend: 'Rename or remove one of the two.' },
    maxLength: {
      says: 'must be {maxLength} for techSetting {techSetting}',
      mend: 'Leave maxLength out: the techSetting decides it.',
    },
    undeclaredParam: {
      says: 'uses <{key}>, which params does not declare',
      mend: 'Declare {key} in params, or correct its spelling.',
    },
    noSystemParam: {
      says: 'uses <{key}>, which is none of the system parameters',
      mend: 'Use a system parameter, or set isCustomParams to true and declare it in params.',
    },
    olderForm: {
      says: 'is required',
      mend: 'This template has the older form: duplicate it, or update it with contentBlocks.',
    },
  },
  shape: {
    oneOf: 'Use one of {all}; this is {sent}.',
    boolean: 'Write true or false here; this is {sent}.',
    text: 'Write a text here; this is {sent}.',
    empty: 'Write something here, or leave the field out if it may be.',
    tooLong: 'Shorten this to at most {most} characters; it has {count}.',
    unstorable: 'Remove the NUL characters and broken surrogate pairs from this text.',
    integer: 'Write a whole number here; this is {sent}.',
    range: 'Use a whole number from {least} to {most}; this is {sent}.',
    list: 'Write a list here; this is {sent}.',
    tooFew: 'Add entries: at least {least} must be here.',
    tooMany: 'Keep at most {most} entries; there are {count}.',
    object: 'Write an object here; this is {sent}.',
    'missing string': 'Add this field: a text is needed.',
    'missing integer': 'Add this field: a whole number is needed.',
    'missing boolean': 'Add this field: true or false is needed.',
    'missing array': 'Add this field: a list, which may be empty, is needed.',
    'missing object': 'Add this field: an object is needed.',
    unknown: 'Remove this field: it is none of those known here ({known}).',
  },
  sent: { list: 'a list', object: 'an object' },
  limit: {
    tooShort: '{part} has {length} characters; lengthen it to between {min} and {max}.',
    tooLong: '{part} has {length} characters; shorten it to between {min} and {max}.',
    noParams: '{part} cannot use parameters; write fixed text.',
    titleParams: 'The title uses {count} parameters; the platform takes at most 4.',
    ratingTag: 'A rating template belongs to content level "2" (customer care); set the tag to "2".',
    ratingImages: 'A rating template cannot show images; use logos instead.',
    images: 'Give 1 to 3 images; there are {count}.',
    imagesButton: 'A template with images needs at least one button.',
    paragraphs: 'Write 1 to 4 paragraphs; there are {count}.',
    paragraphParams: 'The paragraphs use {count} parameters together; the platform takes at most 10.',
    tables: 'The platform takes one table; move these rows into the first one.',
    rows: 'A table has 2 to 8 rows; this one has {count}.',
    rowParams: 'The row’s text uses {count} parameters; use one a row.',
    ratingItems: 'The platform wants exactly 5 items, one for each star; there are {count}.',
    answers: 'Offer at most 5 answers; there are {count}.',
    buttons: 'The platform takes at most 2 buttons; there are {count}.',
    note: 'Add a note of 1 to 400 characters that tells the reviewers what the template is for.',
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
