-- What the bench asks of PostgreSQL: the same authorization, as tables and one function. A reservation is the payment's
-- own row; the sums of its windows stand in the row of the delegation.
CREATE TABLE organization (
  id text PRIMARY KEY,
  audit_sequence bigint NOT NULL,
  audit_hash bytea NOT NULL
);

CREATE TABLE policy (
  id text PRIMARY KEY,
  organization text NOT NULL,
  max_amount bigint NOT NULL,
  categories text[] NOT NULL,
  blocked text[] NOT NULL,
  valid_from timestamptz NOT NULL,
  valid_until timestamptz NOT NULL,
  day_limit bigint NOT NULL
);

CREATE TABLE agent (
  id text PRIMARY KEY,
  organization text NOT NULL,
  status text NOT NULL,
  day date NOT NULL,
  day_sum bigint NOT NULL
);

CREATE TABLE wallet (id text PRIMARY KEY, status text NOT NULL, balance bigint NOT NULL, held bigint NOT NULL);

CREATE TABLE delegation (
  id text PRIMARY KEY,
  agent text NOT NULL UNIQUE,
  wallet text NOT NULL,
  payment_limit bigint NOT NULL,
  day_limit bigint NOT NULL,
  week_limit bigint NOT NULL,
  month_limit bigint NOT NULL,
  day date NOT NULL,
  day_sum bigint NOT NULL,
  week date NOT NULL,
  week_sum bigint NOT NULL,
  month date NOT NULL,
  month_sum bigint NOT NULL
);

CREATE TABLE counterparty (
  organization text NOT NULL,
  address text NOT NULL,
  status text NOT NULL,
  PRIMARY KEY (organization, address)
);

CREATE TABLE payment (
  id text PRIMARY KEY,
  organization text NOT NULL,
  agent text NOT NULL,
  delegation text NOT NULL,
  wallet text NOT NULL,
  amount bigint NOT NULL,
  recipient text NOT NULL,
  terms jsonb NOT NULL,
  status text NOT NULL,
  reasons text[] NOT NULL,
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL
);
CREATE INDEX payment_of_agent ON payment (agent, created_at);
CREATE INDEX payment_expiry ON payment (expires_at) WHERE status = 'APPROVED';

CREATE TABLE idempotency (
  agent text NOT NULL,
  key text NOT NULL,
  body_hash text NOT NULL,
  answer jsonb NOT NULL,
  PRIMARY KEY (agent, key)
);

CREATE TABLE audit (
  organization text NOT NULL,
  sequence bigint NOT NULL,
  previous bytea NOT NULL,
  hash bytea NOT NULL,
  entry jsonb NOT NULL,
  PRIMARY KEY (organization, sequence)
);

CREATE TABLE outbox (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  organization text NOT NULL,
  event text NOT NULL,
  data jsonb NOT NULL,
  due_at timestamptz NOT NULL
);

CREATE FUNCTION authorize(
  _payment text, _organization text, _agent text, _key text, _body_hash text,
  _amount bigint, _recipient text, _category text, _terms jsonb
) RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE
  known idempotency; payer agent; rules policy; leave delegation; purse wallet; chain organization;
  recipient_status text;
  reasons text[] := '{}';
  moment timestamptz := clock_timestamp();
  today date := moment AT TIME ZONE 'UTC';
  this_week date := date_trunc('week', today);
  this_month date := date_trunc('month', today);
  outcome text; entry jsonb; answer jsonb; link bytea;
BEGIN
  SELECT * INTO known FROM idempotency WHERE agent = _agent AND key = _key;
  IF FOUND THEN
    IF known.body_hash <> _body_hash THEN RAISE 'the key was used for another body'; END IF;
    RETURN known.answer;
  END IF;

  SELECT * INTO payer FROM agent WHERE id = _agent FOR UPDATE;
  SELECT * INTO rules FROM policy WHERE organization = _organization;
  SELECT * INTO leave FROM delegation WHERE agent = _agent FOR UPDATE;
  SELECT * INTO purse FROM wallet WHERE id = leave.wallet FOR UPDATE;
  INSERT INTO counterparty VALUES (_organization, _recipient, 'UNKNOWN') ON CONFLICT DO NOTHING;
  SELECT status INTO recipient_status FROM counterparty WHERE organization = _organization AND address = _recipient;

  IF payer.day <> today THEN payer.day_sum := 0; END IF;
  IF leave.day <> today THEN leave.day_sum := 0; END IF;
  IF leave.week <> this_week THEN leave.week_sum := 0; END IF;
  IF leave.month <> this_month THEN leave.month_sum := 0; END IF;

  IF payer.status <> 'ACTIVE' THEN reasons := reasons || 'the agent is not active'::text; END IF;
  IF _amount > rules.max_amount THEN reasons := reasons || 'MAX_AMOUNT'::text; END IF;
  IF NOT _category = ANY (rules.categories) THEN reasons := reasons || 'ALLOWED_CATEGORIES'::text; END IF;
  IF _recipient = ANY (rules.blocked) THEN reasons := reasons || 'BLOCKED_COUNTERPARTIES'::text; END IF;
  IF moment < rules.valid_from OR moment >= rules.valid_until THEN reasons := reasons || 'DATE_RANGE'::text; END IF;
  IF payer.day_sum + _amount > rules.day_limit THEN reasons := reasons || 'DAILY_LIMIT'::text; END IF;
  IF _amount > leave.payment_limit THEN reasons := reasons || 'the delegation, a payment'::text; END IF;
  IF leave.day_sum + _amount > leave.day_limit THEN reasons := reasons || 'the delegation, a day'::text; END IF;
  IF leave.week_sum + _amount > leave.week_limit THEN reasons := reasons || 'the delegation, a week'::text; END IF;
  IF leave.month_sum + _amount > leave.month_limit THEN reasons := reasons || 'the delegation, a month'::text; END IF;
  IF purse.status <> 'ACTIVE' OR purse.balance - purse.held < _amount THEN
    reasons := reasons || 'the wallet'::text;
  END IF;
  IF recipient_status = 'BLOCKED' THEN reasons := reasons || 'the recipient is blocked'::text; END IF;

  outcome := CASE WHEN cardinality(reasons) = 0 THEN 'APPROVED' ELSE 'DENIED' END;
  IF outcome = 'APPROVED' THEN
    UPDATE agent SET day = today, day_sum = payer.day_sum + _amount WHERE id = _agent;
    UPDATE delegation
      SET day = today, day_sum = leave.day_sum + _amount, week = this_week, week_sum = leave.week_sum + _amount,
        month = this_month, month_sum = leave.month_sum + _amount
      WHERE id = leave.id;
    UPDATE wallet SET held = purse.held + _amount WHERE id = purse.id;
  END IF;
  INSERT INTO payment VALUES (
    _payment, _organization, _agent, leave.id, purse.id, _amount, _recipient, _terms, outcome, reasons, moment,
    moment + interval '1 day'
  );

  entry := jsonb_build_object(
    'action', 'payment.request', 'resource', 'payment', 'resourceId', _payment, 'agent', _agent, 'at', moment,
    'data', jsonb_build_object('status', outcome, 'terms', _terms, 'reasons', reasons)
  );
  SELECT * INTO chain FROM organization WHERE id = _organization FOR UPDATE;
  link := sha256(chain.audit_hash || convert_to((chain.audit_sequence + 1) || entry::text, 'UTF8'));
  INSERT INTO audit VALUES (_organization, chain.audit_sequence + 1, chain.audit_hash, link, entry);
  UPDATE organization SET audit_sequence = chain.audit_sequence + 1, audit_hash = link WHERE id = _organization;
  INSERT INTO outbox (organization, event, data, due_at) VALUES (_organization, 'payment.decided', entry, moment);

  answer := jsonb_build_object(
    'id', _payment, 'status', outcome, 'reasons', reasons, 'expiresAt', moment + interval '1 day', 'wallet', purse.id
  );
  INSERT INTO idempotency VALUES (_agent, _key, _body_hash, answer);
  RETURN answer;
END $$;
