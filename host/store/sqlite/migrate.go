package sqlite

import (
	"context"
	"database/sql"
	"embed"
	"errors"
	"fmt"
	"io/fs"
)

// applicationID marks the file as ours, in the place that SQLite has for it: "svc1".
const applicationID = 0x73766331

//go:embed migrations/*.sql
var migrations embed.FS

// migrate runs the steps that the database has not seen, each in a transaction
// of its own. user_version counts them, so a step that has been released is
// never changed: the next change is the next file.
func migrate(ctx context.Context, db *sql.DB) error {
	names, err := fs.Glob(migrations, "migrations/*.sql") // sorted, and so numbered
	if err != nil {
		return err
	}
	done, err := version(ctx, db)
	if err != nil {
		return err
	}
	if done > len(names) {
		return fmt.Errorf("was written by a newer version (schema %d, this one knows %d): use that version", done, len(names))
	}
	for i, name := range names[done:] {
		step, err := migrations.ReadFile(name)
		if err != nil {
			return err
		}
		if err := apply(ctx, db, string(step), done+i+1); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	return nil
}

// version reads how many steps the database has seen, and refuses the files
// of other programs.
func version(ctx context.Context, db *sql.DB) (int, error) {
	var id, done, tables int
	row := db.QueryRowContext(ctx, `SELECT a.application_id, v.user_version, (SELECT count(*) FROM sqlite_schema)
		FROM pragma_application_id a, pragma_user_version v`)
	if err := row.Scan(&id, &done, &tables); err != nil {
		return 0, err
	}
	if id != applicationID && (id != 0 || tables > 0) {
		return 0, errors.New("belongs to another program: give another path")
	}
	return done, nil
}

func apply(ctx context.Context, db *sql.DB, step string, number int) error {
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback() }() // nothing to roll back after Commit
	mark := fmt.Sprintf("PRAGMA application_id = %d; PRAGMA user_version = %d;", applicationID, number)
	if _, err := tx.ExecContext(ctx, step+";\n"+mark); err != nil {
		return err
	}
	return tx.Commit()
}
