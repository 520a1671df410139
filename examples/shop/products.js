export const products = [
  { id: 'tea-tin', name: 'Evening tea, one tin', priceCents: 2490, isSubscription: false },
  { id: 'tea-box', name: 'Tea box, every month', priceCents: 3900, isSubscription: true },
];

export function findProduct(id) {
  return products.find((product) => product.id === id) ?? null;
}
