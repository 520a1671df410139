import { Page } from '../../../ui/layout/page.tsx';
import { Skeleton, SkeletonText } from '../../../ui/states/skeleton.tsx';

/** An affiliate's screen while it loads, at its final size. */
export function SkeletonPage() {
  return (
    <Page title={<Skeleton width={260} height={34} />} lede={<Skeleton width={380} />}>
      <Skeleton shape="block" height={188} />
      <Skeleton shape="block" height={38} />
      <Skeleton shape="block" height={300} />
      <SkeletonText />
    </Page>
  );
}
