// What all that is loaded later needs: its words.

import { learnMore } from './words.js';

await learnMore();
