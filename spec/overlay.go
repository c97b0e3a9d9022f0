package spec

import (
	"cmp"
	"strings"

	"github.com/plantstore/conformance/spec/document"
)

// apply lays the overlay's wording, sections and levels over the derived
// clauses and adds its silences.
func (c *Contract) apply(overlay Source) error {
	root, err := document.Parse(overlay.Name, overlay.Data)
	if err != nil {
		return err
	}
	top := root.Fields("clauses")
	if err := top.Err(); err != nil {
		return err
	}
	list := top.Get("clauses")
	if list == nil {
		return root.Errorf("clauses is missing: a mapping from clause ids")
	}
	if list.Kind != document.Object {
		return list.Errorf("clauses must be a mapping from clause ids, found %s", list.Kind)
	}
	for _, member := range list.Members {
		entry, err := readEntry(member)
		if err != nil {
			return err
		}
		if err := c.lay(entry, member); err != nil {
			return err
		}
	}
	return nil
}

func readEntry(member *document.Member) (Clause, error) {
	fields := member.Value.Fields("level", "section", "text")
	entry := Clause{ID: member.Key}
	entry.Level = Level(fields.OneOf("level", string(Must), string(Should), string(Silent)))
	entry.Section = fields.String("section")
	entry.Text = fields.String("text")
	return entry, fields.Err()
}

func (c *Contract) lay(entry Clause, at *document.Member) error {
	id := ClauseID(entry.ID)
	operation, isSilence := id.Operation(), strings.HasPrefix(id.Part(), partSilent)
	if isSilence != (entry.Level == Silent) && entry.Level != "" {
		return at.Errorf("%s: clauses under silent/ are silent, and no others", entry.ID)
	}
	op, known := c.Operation(operation)
	i := -1
	if known {
		i = op.clause(entry.ID)
	}
	switch {
	case i >= 0:
		clause := &op.clauses[i]
		clause.Level = cmp.Or(entry.Level, clause.Level)
		clause.Section = cmp.Or(marked(entry.Section), clause.Section)
		clause.Text = cmp.Or(entry.Text, clause.Text)
		return nil
	case !isSilence:
		var ids []string
		for _, known := range c.Clauses() {
			ids = append(ids, known.ID)
		}
		return at.Errorf("%s is not a clause of the contract; %s", entry.ID, cmp.Or(Nearest(entry.ID, ids), "`conformance list clauses` names them, without this file"))
	}
	if !known {
		return at.Errorf("%s: the contract has no operation %s", entry.ID, operation)
	}
	if id.Question() == "" {
		return at.Errorf("%s needs a name after silent/", entry.ID)
	}
	if entry.Text == "" {
		return at.Errorf("%s needs a text: the question that is left open", entry.ID)
	}
	entry.Level, entry.Section = Silent, marked(entry.Section)
	op.add(entry)
	return nil
}

func marked(text string) string {
	if text == "" {
		return ""
	}
	return "§" + text
}
