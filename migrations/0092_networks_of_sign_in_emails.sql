-- Wrong codes are counted per requesting network, so that an attacker in another one can't use up the codes of a user.

alter table email_verifications add column network text;

comment on column email_verifications.network is
  'The network that requested the email: an IPv4 /24 or IPv6 /48.';
