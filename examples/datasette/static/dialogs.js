// In the dialog for a new row, a text that is left blank is no value, as in SQL: without this it would be the empty
// text. Columns that syncd alone writes are not asked for.
document.addEventListener("DOMContentLoaded", () => {
  const insert = (window._datasetteTableData || {}).insertRow;
  if (!insert) return;
  const own = insert.tableName === "todos" ? ["server_id", "state", "error", "created_at"] : [];
  insert.columns = insert.columns.filter(({ name }) => !name.startsWith("_") && !own.includes(name));
  for (const column of insert.columns) {
    if (column.value_kind === "string") column.value_kind = "null";
  }
});
