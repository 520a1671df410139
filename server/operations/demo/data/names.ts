// The invented people of the demo, from many countries, so that every list shows names of every length and script.
// "美咲/misaki" is a name with the letters of its email address; other names are transliterated by removing accents.
import type { Random } from '../random.ts';

export type Name = { firstName: string; lastName: string /** For email addresses and links: "misaki-sato". */; latin: string };

type Culture = { weight: number; first: string; last: string };

const cultures: Culture[] = [
  {
    weight: 30,
    first:
      'Ada Amara Ben Carla Chloe Daniel Eleanor Ethan Freya Grace Hannah Imogen Isaac Jack Jasmine Joel Kieran Leah Lucas Maya ' +
      'Nathan Naomi Oliver Ruby Sam Theo Violet Will Wren Zoë',
    last:
      "Abbott Baker Bennett Brooks Carter Doyle Ellis Fletcher Foster Gallagher Hayes Hughes Kerr Lawson Marsh Mitchell O'Brien " +
      'Palmer Quinn Reed Shaw Sinclair Turner Walsh Whitfield Wright',
  },
  {
    weight: 14,
    first: 'Anton Clara Emil Felix Greta Hanna Jonas Julia Klara Lena Moritz Nils Paula Stefan Vera',
    last: 'Bauer Brandt Fischer Gruber Hofmann Keller Krüger Meyer Müller Schäfer Schröder Vogel Wagner Weiß',
  },
  {
    weight: 10,
    first: 'Astrid Björn Elin Freja Håkon Ingrid Liv Maja Mikael Nils Saga Søren Tuuli',
    last: 'Andersen Eriksen Hansen Larsen Lindqvist Mäkinen Nygård Sandström Sørensen Virtanen',
  },
  {
    weight: 12,
    first: 'Beatriz Camila Diego Inés Javier João Lucía Mateo Núria Rafael Rosa Sofía Tomás Valentina',
    last: 'Almeida Castillo Costa Fernández García Herrera López Muñoz Oliveira Rodrigues Silva Torres Vázquez',
  },
  {
    weight: 8,
    first: 'Amélie Chiara Élodie Giulia Hugo Julien Luca Marco Margaux Noémie Théo Yannick',
    last: 'Bianchi Dubois Ferrari Fontaine Lefèvre Marino Moreau Ricci Rossi Rousseau',
  },
  {
    weight: 7,
    first: 'Agnieszka Ivana Jakub Katarzyna Łukasz Ondřej Petra Szymon Tereza Zuzana',
    last: 'Dvořák Farkas Horváth Kowalski Novák Nowak Svoboda Szabó Wiśniewska Zieliński',
  },
  { weight: 5, first: 'Aylin Can Defne Elif Emre Işıl Kerem Zeynep', last: 'Aydın Çelik Demir Kaya Öztürk Şahin Yılmaz' },
  { weight: 6, first: 'Aisha Chidi Fatou Kofi Ngozi Tunde Wanjiru Zainab', last: 'Abara Adeyemi Diallo Mensah Mwangi Ndiaye Okafor' },
  { weight: 7, first: 'Anh Arjun Ishaan Linh Minh Neha Priya Rohan', last: 'Iyer Menon Nguyễn Patel Phạm Rao Singh Trần' },
  {
    weight: 5,
    first: '美咲/misaki 陽菜/hina 蓮/ren 悠斗/yuto さくら/sakura',
    last: '佐藤/sato 田中/tanaka 高橋/takahashi 山本/yamamoto 中村/nakamura',
  },
  { weight: 5, first: '伟/wei 芳/fang 静/jing 子涵/zihan 明/ming', last: '王/wang 李/li 陈/chen 刘/liu 赵/zhao' },
  { weight: 3, first: '서연/seoyeon 민준/minjun 지우/jiwoo 하은/haeun', last: '김/kim 박/park 이/lee 최/choi' },
  { weight: 4, first: 'ليلى/layla عمر/omar نور/nour يوسف/yousef', last: 'الحسن/alhassan حداد/haddad منصور/mansour خليل/khalil' },
  { weight: 2, first: 'נועה/noa איתי/itai תמר/tamar', last: 'לוי/levi כהן/cohen מזרחי/mizrahi' },
  {
    weight: 4,
    first: 'Олена/olena Ірина/iryna Николай/nikolai Мила/mila',
    last: 'Шевченко/shevchenko Коваль/koval Петров/petrov Иванова/ivanova',
  },
  { weight: 3, first: 'Ελένη/eleni Νίκος/nikos Μαρία/maria', last: 'Παππάς/pappas Γεωργίου/georgiou Δημητρίου/dimitriou' },
  { weight: 2, first: 'अनन्या/ananya विक्रम/vikram मीरा/meera', last: 'शर्मा/sharma वर्मा/verma गुप्ता/gupta' },
  { weight: 1, first: 'ศิริพร/siriporn ธนา/thana', last: 'สุขใจ/sukjai วงศ์ดี/wongdee' },
  { weight: 1, first: 'Nana-Adjoa Maximiliana Wolfgang-Amadeus', last: 'von-und-zu-Hohenfels-Rosenberg Featherstonehaugh-Cholmondeley' },
];

const totalWeight = cultures.reduce((sum, { weight }) => sum + weight, 0);

/** A name that is not in `taken`, to which it is added. */
export function pickName(random: Random, taken: Set<string>): Name {
  for (;;) {
    const { first, last } = pickCulture(random);
    const [firstName = '', firstLatin = firstName] = random.pick(first.split(' ')).split('/');
    const [lastName = '', lastLatin = lastName] = random.pick(last.split(' ')).split('/');
    const latin = toAscii(`${firstLatin}-${lastLatin}`);
    if (taken.has(latin)) continue;
    taken.add(latin);
    return { firstName, lastName, latin };
  }
}

function pickCulture(random: Random): Culture {
  let at = random.number(totalWeight);
  for (const culture of cultures) {
    at -= culture.weight;
    if (at < 0) return culture;
  }
  throw new Error('Random went past its end.');
}

/** "Zoë-O'Brien" → "zoe-obrien" */
function toAscii(name: string): string {
  const letters: Record<string, string> = { ø: 'o', Ø: 'O', ł: 'l', Ł: 'L', ß: 'ss', ı: 'i', æ: 'ae', đ: 'd' };
  return name
    .replace(/[øØłŁßıæđ]/g, (letter) => letters[letter] ?? '')
    .normalize('NFKD')
    .replace(/[^A-Za-z-]/g, '')
    .toLowerCase();
}
