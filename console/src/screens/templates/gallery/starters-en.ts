import type { StarterId, StarterText } from './starter-text.ts'

/** The starters in English. */
export const STARTERS_EN: Record<StarterId, StarterText> = {
  orderConfirmed: {
    name: 'Order confirmed',
    note: 'Sent as soon as the shop confirms an order, to the customer who placed it.',
    title: 'Your order <order_code> is confirmed',
    blocks: [
      'Hello <customer_name>, thank you for your order. We have received it and are preparing your goods.',
      {
        rows: [
          ['Order', '<order_code>'],
          ['Placed on', '<order_date>'],
          ['Total', '<total_amount>'],
          ['Deliver to', '<customer_address>'],
        ],
      },
      'If anything is not right, please tell us: <shop_contact>.',
    ],
    buttons: [{ label: 'Contact the shop', type: '3', value: '' }],
  },
  onItsWay: {
    name: 'Order on its way',
    note: 'Sent when the carrier takes over an order, to the person who receives it.',
    title: 'Your order <order_code> is on its way',
    blocks: [
      'Hello <customer_name>, your order is with the carrier. Please keep your phone at hand for the delivery.',
      {
        rows: [
          ['Order', '<order_code>'],
          ['Expected', '<delivery_date>'],
          ['Deliver to', '<customer_address>'],
          ['To pay on delivery', '<due_amount>'],
        ],
      },
    ],
    buttons: [{ label: 'Track the order', type: '7', value: '<link>' }],
  },
  readyToCollect: {
    name: 'Order ready to collect',
    note: 'Sent when the goods are ready, to customers who collect them at the shop.',
    title: 'Your order <order_code> is ready',
    blocks: [
      'Hello <customer_name>, your goods are ready. Come to the shop and give the order code at the counter.',
      {
        rows: [
          ['Order', '<order_code>'],
          ['Collect at', '<shop_address>'],
          ['Kept until', '<collect_until>'],
          ['Still to pay', '<due_amount>'],
        ],
      },
    ],
    buttons: [{ label: 'Contact the shop', type: '3', value: '' }],
  },
  paymentReminder: {
    name: 'Payment reminder',
    note: 'Sent before payment is due, to customers who owe the shop money. The amount is what they owe for all orders.',
    title: 'Your payment is due soon',
    blocks: [
      'Hello <customer_name>, your purchases at our shop are not fully paid yet. Please pay by the date below.',
      {
        rows: [
          ['Still to pay', '<due_amount>'],
          ['Due on', '<due_date>'],
          ['Transfer content', '<transfer_note>'],
        ],
      },
      'If you have already paid, please ignore this message. For questions: <shop_contact>.',
    ],
  },
  paymentReceived: {
    name: 'Payment received',
    note: 'Sent when the shop receives money for an order, to the customer who paid.',
    title: 'Payment received for order <order_code>',
    blocks: [
      'Hello <customer_name>, we have received your payment. Thank you.',
      {
        rows: [
          ['Order', '<order_code>'],
          ['Received', '<paid_amount>'],
          ['Still to pay', '<due_amount>'],
        ],
      },
    ],
    buttons: [{ label: 'Contact the shop', type: '3', value: '' }],
  },
  oneTimePassword: {
    name: 'One-time password',
    note: 'Sent when a customer signs in or confirms a transaction, to the person who asked for the code.',
    title: 'Your one-time password',
    blocks: [
      'Your one-time password is <otp>. It is valid for 5 minutes. Do not share it with anyone, not even the staff of the shop.',
      'If you did not ask for it, please ignore this message.',
    ],
  },
  appointment: {
    name: 'Appointment reminder',
    note: 'Sent a day before an appointment, to the customer who booked it.',
    title: 'Your appointment tomorrow',
    blocks: [
      'Hello <customer_name>, you have an appointment with us. Please come a few minutes early, so that we can begin on time.',
      {
        rows: [
          ['Service', '<product_name>'],
          ['Appointment', '<appointment_time>'],
          ['Address', '<shop_address>'],
        ],
      },
      'To change or cancel it, please let us know in advance: <shop_contact>.',
    ],
    buttons: [{ label: 'Contact the shop', type: '3', value: '' }],
  },
  rating: {
    name: 'Thanks and rating',
    note: 'Sent after the customer has received the goods, to ask about that order.',
    title: 'Thank you for your order',
    blocks: [
      'Hello <customer_name>, you have received order <order_code>. How was it? Your answer helps us to improve.',
      {
        stars: [
          [
            'Very satisfied',
            'What did you like most?',
            ['The goods', 'Fast delivery', 'Helpful staff'],
            'Thank you, see you again!',
            'Everything was good.',
          ],
          [
            'Satisfied',
            'What could be even better?',
            ['The goods', 'The packaging', 'The delivery'],
            'Thank you for your answer.',
            'Good, with a few things to improve.',
          ],
          [
            'Neutral',
            'What should we improve?',
            ['The goods', 'The packaging', 'The delivery', 'The service'],
            'Thank you, we will improve this.',
            'All right, but nothing special.',
          ],
          [
            'Not satisfied',
            'What were you not satisfied with?',
            ['Not as described', 'Slow delivery', 'Poor service'],
            'We are sorry and will put it right.',
            'Something was not as expected.',
          ],
          [
            'Not satisfied at all',
            'What went wrong with the order?',
            ['Faulty goods', 'Wrong goods', 'Slow delivery', 'Poor service'],
            'We are sorry and will contact you.',
            'There was a problem with the order.',
          ],
        ],
      },
    ],
  },
  points: {
    name: 'Points added',
    note: 'Sent when points are added after an order, to regular customers.',
    title: '<points_added> points added to your account',
    blocks: [
      'Hello <customer_name>, thank you for your order. Your points are up to date.',
      {
        rows: [
          ['Order', '<order_code>'],
          ['Points added', '<points_added>'],
          ['Total points', '<points_total>'],
        ],
      },
    ],
    buttons: [{ label: 'Open the shop’s page', type: '3', value: '' }],
  },
  birthday: {
    name: 'Birthday voucher',
    note: 'Sent on a birthday, to regular customers who agreed to receive messages.',
    title: 'Happy birthday, <customer_name>',
    blocks: [
      'We wish you health and joy in the year ahead. Here is a small gift, just for you.',
      {
        offer: {
          title: '50,000 VND off',
          condition: 'One use, for orders from 300,000 VND',
          expiryDate: '<expiry_date>',
        },
      },
    ],
    buttons: [{ label: 'Open the shop’s page', type: '3', value: '' }],
  },
}
