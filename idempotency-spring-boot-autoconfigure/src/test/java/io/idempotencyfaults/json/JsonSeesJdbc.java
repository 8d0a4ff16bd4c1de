package io.idempotencyfaults.json;

import javax.sql.DataSource;

public record JsonSeesJdbc(DataSource target) {}
