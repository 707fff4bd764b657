// The style and the words of what is in the library, for whichever part of it is loaded first.

import './more.js';

const link = document.createElement('link');
link.rel = 'stylesheet';
link.href = new URL('library.css', import.meta.url).href;
document.head.append(link);
