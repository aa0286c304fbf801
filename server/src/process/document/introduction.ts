/** The introduction of the API document and of the page at `/docs`. */
export const INTRODUCTION = `Catalogue, orders, point of sale, news and template messages of a shop. Operations marked as extensions are additions to the
contract E1 to E16.

## Quick start

1. Take the key of your shop, \`sb_live_…\`: the first start of a demo prints one, the operator issues others.
2. On the page at \`/docs\`, enter it once under Authentication, after \`service-partner\`, and try any call.
3. From your own program:

\`\`\`sh
curl -H "x-api-key: service-partner $KEY" 'http://localhost:3000/api/external/v1/products?search=tra%20sen'
\`\`\`

\`\`\`ts
import { createShopbell } from '@shopbell/client'

const shop = createShopbell({ baseUrl: 'http://localhost:3000', apiKey: 'sb_live_…' })
const { data } = await shop.products.list({ search: 'tra sen' })
console.log(data.products.map((product) => product.name))
\`\`\`

\`\`\`python
import json, os, urllib.request

request = urllib.request.Request(
    "http://localhost:3000/api/external/v1/products?search=tra%20sen",
    headers={"x-api-key": "service-partner " + os.environ["KEY"]},
)
with urllib.request.urlopen(request) as response:
    print([product["name"] for product in json.load(response)["data"]["products"]])
\`\`\`

A repeated \`Idempotency-Key\` makes a POST, PUT or PATCH safe to repeat. A shop's keys together may make 100 calls a minute; the
\`Retry-After\` of a 429 says how long to wait. An error names the field, or the rule in \`code\`.`
