package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"strconv"
	"strings"
)

// mutant is one change to one place.
type mutant struct {
	id       int
	file     string // from the root of the module
	line     int
	function string // "Type.Method", "Function", or "-" outside of any
	change   string
	kind     int // of integers: which of intTypes the place wants
	isInt    bool
	unviable bool // it does not compile
}

// key names a mutant in the list of argued ones: lines move, functions and
// what they say do so less.
func (m *mutant) key() string { return m.file + " " + m.function + ": " + m.change }

// intTypes are tried in turn, because the type of a literal is the context's.
var intTypes = []string{"int", "int64", "uint", "byte", "rune"}

// wrap is text to put before and after a part of the source. All changes are
// made this way, so that one program holds every mutant, each behind a
// condition, and needs to be compiled once.
type wrap struct {
	start, end    int
	before, after string
	mutant        *mutant
}

// sourceFile is one file and its mutants.
type sourceFile struct {
	name    string
	text    string
	set     *token.FileSet
	syntax  *ast.File
	mutants []*mutant
	wraps   []wrap
	next    *int           // the last id, shared by all files
	seen    map[string]int // how often a key was
	parents []ast.Node
}

func newSourceFile(name string, text []byte, next *int) (*sourceFile, error) {
	f := &sourceFile{name: name, text: string(text), set: token.NewFileSet(), next: next, seen: map[string]int{}}
	var err error
	if f.syntax, err = parser.ParseFile(f.set, name, text, parser.SkipObjectResolution); err != nil {
		return nil, err
	}
	ast.Inspect(f.syntax, func(n ast.Node) bool {
		if n == nil {
			f.parents = f.parents[:len(f.parents)-1]
			return true
		}
		f.visit(n)
		f.parents = append(f.parents, n)
		return true
	})
	return f, nil
}

func (f *sourceFile) visit(n ast.Node) {
	switch n := n.(type) {
	case *ast.IfStmt:
		f.add(n.Cond, "negate if "+f.of(n.Cond), "mutated(%d) != (", ")")
	case *ast.SwitchStmt:
		f.clauses(n.Body, n.Tag == nil)
	case *ast.TypeSwitchStmt:
		f.clauses(n.Body, false)
	case *ast.BinaryExpr:
		f.binary(n)
	case *ast.BasicLit:
		if n.Kind == token.INT && f.isExpression() {
			m := f.add(n, n.Value+" + 1 in "+f.lineOf(n), "(", " + mutatedInt[TYPE](%d))")
			m.isInt = true
		}
	case *ast.Ident:
		if (n.Name == "true" || n.Name == "false") && f.isExpression() {
			f.add(n, "negate "+n.Name+" in "+f.lineOf(n), "(mutated(%d) != ", ")")
		}
	case *ast.BlockStmt:
		f.statements(n.List)
	case *ast.CaseClause:
		f.statements(n.Body)
	}
}

// add notes a mutant that wraps a part of the source; %d in either text
// stands for its id.
func (f *sourceFile) add(n ast.Node, change, before, after string) *mutant {
	*f.next++
	m := &mutant{id: *f.next, file: f.name, line: f.set.Position(n.Pos()).Line, function: f.function(), change: change}
	if f.seen[m.key()]++; f.seen[m.key()] > 1 {
		m.change += fmt.Sprintf(" (%d)", f.seen[m.key()])
	}
	id := strconv.Itoa(m.id)
	before, after = strings.ReplaceAll(before, "%d", id), strings.ReplaceAll(after, "%d", id)
	f.mutants = append(f.mutants, m)
	f.wraps = append(f.wraps, wrap{f.offset(n.Pos()), f.offset(n.End()), before, after, m})
	return m
}

// binary removes each operand of && and ||, swaps the two, and replaces
// comparisons by their opposite and by their neighbor at the boundary.
func (f *sourceFile) binary(n *ast.BinaryExpr) {
	with := func(op string) string {
		return f.source(n.Pos(), n.OpPos) + op + f.source(n.OpPos+token.Pos(len(n.Op.String())), n.End())
	}
	// A condition of its own keeps its place: evaluated once, in either form.
	instead := func(op string) {
		f.add(n, f.of(n)+" -> "+op, "(mutated(%d) && ("+with(op)+") || !mutated(%d) && (", "))")
	}
	switch n.Op {
	case token.LAND:
		instead("||")
		f.operands(n, "(mutated(%d) || (", "))")
	case token.LOR:
		instead("&&")
		f.operands(n, "(!mutated(%d) && (", "))")
	}
	neighbors := map[token.Token]string{token.LSS: "<=", token.LEQ: "<", token.GTR: ">=", token.GEQ: ">", token.EQL: "", token.NEQ: ""}
	neighbor, comparison := neighbors[n.Op]
	if !comparison {
		return
	}
	if neighbor != "" {
		instead(neighbor)
	}
	if parent, ok := f.parent(0).(*ast.IfStmt); !ok || parent.Cond != n { // else the negated if is the same
		f.add(n, "negate "+f.of(n), "(mutated(%d) != (", "))")
	}
}

// operands removes each of a chain of && or of ||.
func (f *sourceFile) operands(n *ast.BinaryExpr, before, after string) {
	for _, operand := range []ast.Expr{n.X, n.Y} {
		if chain, ok := operand.(*ast.BinaryExpr); !ok || chain.Op != n.Op {
			f.add(operand, "remove "+f.of(operand)+" from "+f.of(n), before, after)
		}
	}
}

// clauses removes each case: the conditions of a bare switch never hold, and
// of another switch the case does what no case at all would.
func (f *sourceFile) clauses(body *ast.BlockStmt, bare bool) {
	fallback := ""
	for _, s := range body.List {
		if clause := s.(*ast.CaseClause); clause.List == nil && len(clause.Body) > 0 {
			fallback = f.source(clause.Body[0].Pos(), clause.Body[len(clause.Body)-1].End())
		}
	}
	for _, s := range body.List {
		clause := s.(*ast.CaseClause)
		if bare {
			for _, condition := range clause.List {
				f.add(condition, "never case "+f.of(condition), "!mutated(%d) && (", ")")
			}
		}
		if bare && clause.List != nil || len(clause.Body) == 0 {
			continue
		}
		last := clause.Body[len(clause.Body)-1]
		_, returns := last.(*ast.ReturnStmt)
		span := &ast.BlockStmt{Lbrace: clause.Body[0].Pos(), Rbrace: last.End() - 1}
		switch {
		case clause.List == nil && returns: // something must be returned
		case clause.List == nil:
			f.add(span, "remove default", "if !mutated(%d) {", "}")
		case fallback == "":
			f.add(span, "remove "+f.source(clause.Pos(), clause.Colon), "if !mutated(%d) {", "}")
		default:
			f.add(span, "remove "+f.source(clause.Pos(), clause.Colon), "if mutated(%d) {"+fallback+"} else {", "}")
		}
	}
}

// statements removes each that may be missing.
func (f *sourceFile) statements(list []ast.Stmt) {
	for _, s := range list {
		switch s := s.(type) {
		case *ast.AssignStmt:
			if s.Tok == token.DEFINE {
				continue
			}
		case *ast.ReturnStmt:
			if !f.isEarly() {
				continue
			}
		case *ast.BranchStmt:
			if s.Tok == token.FALLTHROUGH || s.Tok == token.GOTO {
				continue
			}
		case *ast.ExprStmt, *ast.IncDecStmt, *ast.SendStmt, *ast.GoStmt, *ast.DeferStmt:
		default:
			continue
		}
		f.add(s, "remove "+f.of(s), "if !mutated(%d) {", "}")
	}
}

// isEarly says whether a function can go on behind the list of statements that
// is visited, so that it compiles without a return in it.
func (f *sourceFile) isEarly() bool {
	switch parent := f.parent(0).(type) {
	case *ast.IfStmt:
		return parent.Else == nil
	case *ast.ForStmt, *ast.RangeStmt:
		return true
	case *ast.BlockStmt: // of a switch
		return !slices.ContainsFunc(parent.List, func(s ast.Stmt) bool {
			clause, ok := s.(*ast.CaseClause)
			return !ok || clause.List == nil
		})
	}
	return false
}

// isExpression says whether a literal stands where it is computed: not in a
// type, and not among constants that count by iota.
func (f *sourceFile) isExpression() bool {
	for _, p := range f.parents {
		if _, ok := p.(*ast.ArrayType); ok {
			return false
		}
		if decl, ok := p.(*ast.GenDecl); ok && decl.Tok == token.CONST && strings.Contains(f.source(decl.Pos(), decl.End()), "iota") {
			return false
		}
	}
	return true
}

func (f *sourceFile) parent(up int) ast.Node {
	if i := len(f.parents) - 1 - up; i >= 0 {
		return f.parents[i]
	}
	return nil
}

func (f *sourceFile) function() string {
	for _, p := range f.parents {
		if decl, ok := p.(*ast.FuncDecl); ok {
			if decl.Recv == nil {
				return decl.Name.Name
			}
			return strings.TrimPrefix(f.of(decl.Recv.List[0].Type), "*") + "." + decl.Name.Name
		}
	}
	return "-"
}

func (f *sourceFile) offset(p token.Pos) int { return f.set.Position(p).Offset }

func (f *sourceFile) source(from, to token.Pos) string { return f.text[f.offset(from):f.offset(to)] }

// of is the source of a node in one line.
func (f *sourceFile) of(n ast.Node) string { return short(f.source(n.Pos(), n.End())) }

func (f *sourceFile) lineOf(n ast.Node) string {
	line := strings.Split(f.text, "\n")[f.set.Position(n.Pos()).Line-1]
	code, _, _ := strings.Cut(line, " // ")
	return short(code)
}

func short(text string) string {
	const width = 100
	text = strings.Join(strings.Fields(text), " ")
	if runes := []rune(text); len(runes) > width {
		return string(runes[:width]) + "…"
	}
	return text
}

// mutated is the source with all its mutants in it but those that do not
// compile.
func (f *sourceFile) mutated() string {
	wraps := slices.DeleteFunc(slices.Clone(f.wraps), func(w wrap) bool { return w.mutant.unviable })
	slices.SortStableFunc(wraps, func(a, b wrap) int { return (a.end - a.start) - (b.end - b.start) }) // the inner first
	before, after := map[int]string{}, map[int]string{}
	for _, w := range wraps {
		before[w.start] = strings.ReplaceAll(w.before, "TYPE", intTypes[w.mutant.kind]) + before[w.start]
		after[w.end] += strings.ReplaceAll(w.after, "TYPE", intTypes[w.mutant.kind])
	}
	instead := f.variables(wraps)
	var b strings.Builder
	for i := 0; i <= len(f.text); i++ {
		b.WriteString(after[i] + before[i])
		if word := instead[i]; word != "" {
			b.WriteString(word)
			i += len("const") - 1
		} else if i < len(f.text) {
			b.WriteByte(f.text[i])
		}
	}
	return b.String()
}

// variables are the places where const becomes var, because a mutant is no
// constant.
func (f *sourceFile) variables(wraps []wrap) map[int]string {
	instead := map[int]string{}
	ast.Inspect(f.syntax, func(n ast.Node) bool {
		decl, ok := n.(*ast.GenDecl)
		if !ok || decl.Tok != token.CONST {
			return true
		}
		start, end := f.offset(decl.Pos()), f.offset(decl.End())
		if slices.ContainsFunc(wraps, func(w wrap) bool { return start <= w.start && w.end <= end }) {
			instead[start] = "var  "
		}
		return true
	})
	return instead
}
