// Starts the shop: `npm start`, with the settings of README.md in the environment.
import { createClient } from '@tributary/client';
import { createShop } from './shop.js';

const { TRIBUTARY_URL, TRIBUTARY_API_KEY, WEBHOOK_SECRET, SHOP_USER, PORT = '4000' } = process.env;

const client = createClient({ url: TRIBUTARY_URL, apiKey: TRIBUTARY_API_KEY });
const server = createShop({ client, webhookSecret: WEBHOOK_SECRET, userEmail: SHOP_USER });
server.listen(Number(PORT), '127.0.0.1', () => console.log(`The shop is open at http://127.0.0.1:${server.address().port}`));
