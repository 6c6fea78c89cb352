# Every command of the guides runs, as the role and in the order in which the page has it,
# in a fresh database; what the page shows as the answer is the answer.
#
# DOCS_OUT=directory writes the pages there with the answers that were given, for their editor.
use strict;
use warnings;

use DocsTest;
use File::Basename;
use PostgreSQL::Test::Utils;
use PrivacctTest;
use Test::More;

my @guides = qw(README.md docs/analyst-guide.md docs/dba-guide.md docs/local-guide.md docs/pufferfish-guide.md);
my $root = $ENV{PA_WORK};
my $only = $ENV{DOCS_ONLY} // '';
my $skipped = 0;

chdir $root;
for my $guide (grep { index($_, $only) >= 0 } @guides)
{
	my $name = basename($guide, '.md');
	my @parts = read_page("$root/$guide");
	my $node = new_node("docs_$name");

	$node->start;
	run_page($node, 'postgres', @parts);
	$node->stop;
	for my $i (grep { exists $parts[$_]{sql} } 0 .. $#parts)
	{
		my $part = $parts[$i];
		my ($answer) = grep { exists $_->{answer} || exists $_->{sql} } @parts[ $i + 1 .. $#parts ];
		my $what = "$guide, line $part->{line}";
		if (defined $part->{skip})
		{
			note "not run: $what: $part->{skip}";
			$skipped++;
		}
		elsif ($answer && exists $answer->{answer})
		{
			is(plain($part->{real}, $answer->{noised}), plain($answer->{answer}, $answer->{noised}), "$what answers what it says");
		}
		else
		{
			unlike($part->{real}, qr/^(?:ERROR|FATAL|WARNING|NOTICE|psql):/m, "$what runs");
		}
	}
	write_page("$ENV{DOCS_OUT}/$name.md", @parts) if $ENV{DOCS_OUT};
}
note "$skipped blocks of SQL are not run";
is_deeply([ broken_links(glob("$root/*.md $root/docs/*.md $root/docs/*/*.md")) ], [], 'no link leads nowhere') unless $only;
done_testing();
