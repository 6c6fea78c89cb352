# DocsTest.pm
#		The SQL that a page of the documentation shows, run as a reader would run it.
#
# A page is a list of blocks.  "```sql" is what somebody types into psql, the first line
# saying who ("-- as analyst"; without it, whoever typed the block before).  A plain
# "```" block right after it is what psql answers.  Comments that no reader sees mark
# what differs:
#
#	<!-- not run: reason -->	before a block of SQL: it is not run, but counted
#	<!-- noised -->				before an answer: its numbers and the order of its lines are noise
#
# One psql per role stays connected for the whole page, as settings and intervals() need.
package DocsTest;

use strict;
use warnings;

use Exporter 'import';
use IPC::Run ();
use PostgreSQL::Test::Utils;
use PrivacctTest;

our @EXPORT = qw(read_page run_page write_page plain broken_links);

# The page as a list of parts: { text }, { sql, role, skip }, { answer, noised }.
sub read_page
{
	my ($file) = @_;
	my (@parts, $role);
	my $page = slurp_file($file);

	while ($page =~ /\G(.*?)(?:^```(\w*)\n(.*?)^```\n|\z)/gcms)
	{
		my ($text, $language, $code, $start) = ($1, $2, $3, $-[3]);
		push @parts, { text => $text } if $text ne '';
		last unless defined $code;
		if ($language eq 'sql')
		{
			$role = $1 if $code =~ /\A-- as (\w+)/;
			push @parts, { sql => $code, role => $role, line => 1 + (substr($page, 0, $start) =~ tr/\n//) };
			$parts[-1]{skip} = $1 if $text =~ /<!-- not run: (.*?) -->\s*\z/;
		}
		elsif ($language eq '' && answers(\@parts, $text))
		{
			push @parts, { answer => $code, noised => scalar $text =~ /<!-- noised -->/ };
		}
		else
		{
			push @parts, { text => "```$language\n$code```\n" };
		}
	}
	return @parts;
}

# Whether a block right after this text is the answer to the SQL before it.
sub answers
{
	my ($parts, $text) = @_;
	my ($sql) = grep { !exists $_->{text} } $parts->[-1], @$parts > 1 ? $parts->[-2] : ();

	return $sql && exists $sql->{sql} && !defined $sql->{skip} && $text =~ /\A\s*(?:<!-- noised -->\s*)?\z/;
}

# Runs the SQL of a page in order; each block gets {real}, what psql answered.
sub run_page
{
	my ($node, $database, @parts) = @_;
	my %session;

	for my $part (grep { exists $_->{sql} && !defined $_->{skip} } @parts)
	{
		my $sql = $part->{sql} =~ s/\A-- as .*\n//r;
		my $role = $part->{role} eq 'postgres' ? superuser() : $part->{role};
		my $session = $session{$role} //= connect_as($node, $database, $role);
		$part->{real} = $session->say($sql);
		$part->{real} =~ s/\n*\z/\n/ if $part->{real} ne '';
	}
	$_->hang_up for values %session;
	return;
}

sub connect_as
{
	my ($node, $database, $role) = @_;
	my $session = bless { in => '', out => '' }, 'PrivacctTest::Session';

	$session->{run} = IPC::Run::start(
		[ $node->installed_command('psql'), '-Xq', '-P', 'pager=off', '-U', $role, '-h', $node->host, '-p', $node->port, '-d', $database ],
		'<', \$session->{in}, '>', \$session->{out}, '2>&1',
		IPC::Run::timeout($PostgreSQL::Test::Utils::timeout_default));
	return $session;
}

# An answer without what noise decides.
sub plain
{
	my ($answer, $noised) = @_;

	return $answer unless $noised;
	$answer =~ s/-?\b\d+(?:\.\d+)?(?:e-?\d+)?\b/#/g;
	$answer =~ s/ +/ /g;
	$answer =~ s/-{2,}/-/g;
	return join '', sort map { s/^ +| +$//gr . "\n" } split /\n/, $answer;
}

# The page with the answers that were really given, for whoever edits it.
sub write_page
{
	my ($file, @parts) = @_;
	my $real;

	open(my $out, '>', $file) or die "$file: $!";
	for my $part (@parts)
	{
		$real = $part->{real} if exists $part->{sql};
		print $out $part->{text} if exists $part->{text};
		print $out "```sql\n$part->{sql}```\n" if exists $part->{sql};
		next unless exists $part->{answer};
		$real = $part->{answer} if plain($real, $part->{noised}) eq plain($part->{answer}, $part->{noised});
		print $out "```\n$real```\n";
	}
	close $out;
	return;
}

# Links to files and headings that are not there.
sub broken_links
{
	my (@files) = @_;
	my @broken;

	for my $file (@files)
	{
		my ($folder) = $file =~ m{\A(.*/)};
		my $page = slurp_file($file) =~ s/^```.*?^```$//gmsr =~ s/`[^`\n]*`/x/gr;
		while ($page =~ /\]\(([^)\s]+)\)/g)
		{
			my ($path, $anchor) = split /#/, $1, 2;
			next if $path =~ /^https?:/;
			my $target = $path eq '' ? $file : $folder . $path;
			push @broken, "$file: $path" . ($anchor ? "#$anchor" : '')
			  unless -e $target && (!defined $anchor || grep { $_ eq $anchor } anchors($target));
		}
	}
	return @broken;
}

# The anchors that GitHub gives to the headings of a page.
sub anchors
{
	my ($file) = @_;
	my %seen;

	return map { my $n = $seen{$_}++; $n ? "$_-$n" : $_ }
	  map { lc(s/[^\w\s-]//gr) =~ tr/ /-/r } slurp_file($file) =~ s/^```.*?^```$//gmsr =~ /^#+ +(.*?)\s*$/gm;
}

1;
