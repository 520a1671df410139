/** Texts that run a script, or change the page, where they are not escaped. */
export const injections: readonly string[] = [
  ...['<script>x()</script>', '</script><script>x()</script>', '</title><script>x()</script>', '</style><script>x()</script>'],
  ...['"><script>x()</script>', "'><script>x()</script>", '--><script>x()</script>', ']]><script>x()</script>'],
  ...['<SCRIPT SRC=//x.example></SCRIPT>', '<script/src=data:,x()>', '<scr<script>ipt>x()</script>', '<script\n>x()</script\n>'],
  ...['<img src=x onerror=x()>', '"><img src=x onerror=x()>', "' onerror='x()", '" onerror="x()', '" onload="x()" a="', '` onerror=`x()'],
  ...['<svg onload=x()>', '<svg/onload=x()>', '<svg><script>x()</script></svg>', '<svg><a xlink:href="javascript:x()">a</a></svg>'],
  ...['<body onload=x()>', '<iframe src=javascript:x()>', '<iframe srcdoc="<script>x()</script>">', '<object data=javascript:x()>'],
  ...[
    '<embed src=javascript:x()>',
    '<a href=javascript:x()>a</a>',
    '<a href="java\tscript:x()">a</a>',
    '<form action=javascript:x()><button>a',
  ],
  ...['<input autofocus onfocus=x()>', '<details open ontoggle=x()>', '<video><source onerror=x()>', '<audio src onerror=x()>'],
  ...['<marquee onstart=x()>', '<math><mi xlink:href="javascript:x()">a', '<table background=javascript:x()>', '<base href=//x.example/>'],
  ...[
    '<meta http-equiv=refresh content="0;url=javascript:x()">',
    '<link rel=stylesheet href=//x.example>',
    '<style>*{background:red}</style>',
  ],
  ...[
    '<style>@import "//x.example"',
    '" style="position:fixed;inset:0',
    '<template><script>x()</script></template>',
    '<noscript><p title="</noscript><img src=x onerror=x()>">',
  ],
  ...[
    '&lt;script&gt;x()&lt;/script&gt;',
    '&#60;script&#62;x()&#60;/script&#62;',
    '%3Cscript%3Ex()%3C/script%3E',
    '\\u003cscript\\u003ex()',
  ],
  ...['{{constructor.constructor("x()")()}}', `\${x()}`, '{affiliate}<script>x()</script>{program}', 'constructor', '__proto__'],
  ...[
    '<!--',
    '<![CDATA[<script>x()</script>]]>',
    '<?xml version="1.0"?>',
    '\u2028x()\u2029',
    '\u202E<script>x()</script>',
    '＜script＞x()＜/script＞',
  ],
];
