/** The mark: a main stem and a smaller stream that joins it. */
export function Logo({ size = 28 }: { size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 32 32" aria-hidden style={{ flex: 'none', display: 'block' }}>
      <rect width="32" height="32" rx="9" fill="var(--river)" />
      <g fill="none" stroke="var(--on-river)" strokeLinecap="round">
        <path d="M10 6c0 8 8 8.5 8 20" strokeWidth="4.4" />
        <path d="M24 8c0 5-3.6 6.4-5.6 9.6" strokeWidth="2.6" opacity=".78" />
      </g>
    </svg>
  );
}
